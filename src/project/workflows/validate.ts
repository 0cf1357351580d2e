import { compileManifest, requireManifest } from '../../manifest/compile.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import { drawGraph, mermaid } from '../../manifest/graph.ts';
import { ManifestSyntaxError } from '../../manifest/load-error.ts';
import { formatProblem, type Problem } from '../../manifest/problem.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { StageWorkflow } from '../../manifest/stages/definition.ts';
import { startNode } from '../../orchestrator/engine/prepare.ts';
import type { OpenProject } from '../open.ts';
import { knownWorkers } from '../runs/known-workers.ts';
import { unconfigured, withProjectWorkers } from '../runs/roster.ts';
import { readWorkflow } from '../runs/workflow.ts';
import { isThere } from '../upkeep/programs.ts';

/** A problem of a manifest, and the line that tells it to a person. */
export type FoundProblem = Problem & { readonly text: string };

export interface Validation {
  readonly workflow: string;
  readonly file: string;
  readonly valid: boolean;
  readonly problems: readonly FoundProblem[];
  /** Workers that the manifest only describes: something must run them before it can run here. */
  readonly unconfigured: readonly string[];
}

/** All problems of a workflow at once: the shipped or configured one, or a file. */
export async function validate(
  opened: OpenProject,
  named?: string | WorkflowManifest | StageWorkflow,
  { strict = false }: { readonly strict?: boolean } = {},
): Promise<Validation> {
  const { project, config, services } = opened;
  try {
    const workflow = readWorkflow(project, config.workflow, named);
    const document = withProjectWorkers(workflow.document, config.workers);
    const missing = unconfigured(document);
    const compiled = compileManifest(document, {
      file: workflow.name,
      workers: knownWorkers(services, missing),
      config: services.config,
      strict,
    });
    const problems = [
      ...compiled.problems,
      ...(await missingPrograms(opened, compiled.manifest, workflow.name)),
    ];
    return {
      workflow: workflow.name,
      file: workflow.file,
      valid: problems.every(({ severity }) => severity === 'warning' && !strict),
      problems: problems.map((problem) => ({ ...problem, text: formatProblem(problem) })),
      unconfigured: missing,
    };
  } catch (error) {
    if (error instanceof ManifestSyntaxError) return syntaxReport(error);
    throw error;
  }
}

/** A manifest may be right and still not run here: a program that plays a worker is missing. */
async function missingPrograms(
  opened: OpenProject,
  manifest: ResolvedManifest | undefined,
  file: string,
): Promise<Problem[]> {
  const roster = Object.entries(manifest?.workers ?? {});
  const found = await Promise.all(
    roster.map(async ([name, { command }]): Promise<Problem[]> => {
      const [program] = command ?? [];
      if (program === undefined) return [];
      const setting = `workers.${name}.command`;
      if (await isThere(opened, { setting, program, kind: 'program' })) return [];
      const message = `Worker "${name}" is the program "${program}", which is not there; install it, or correct its "command".`;
      return [{ severity: 'warning', message, file, path: ['workers', name, 'command', 0] }];
    }),
  );
  return found.flat();
}

/** Text that is no JSON is a problem like any other. */
function syntaxReport({ file, line, column, message }: ManifestSyntaxError): Validation {
  const problem = { severity: 'error', message, file, line, column, path: [], text: message } as const;
  return { workflow: file, file, valid: false, problems: [problem], unconfigured: [] };
}

export interface Graph {
  readonly workflow: string;
  readonly manifest: ResolvedManifest;
  /** Drawn for a terminal. */
  readonly text: string;
  readonly mermaid: string;
}

/** The graph of a workflow, as data and drawn. */
export async function graph(
  { project, config, services }: OpenProject,
  named?: string | WorkflowManifest | StageWorkflow,
  options: { readonly start?: string; readonly width?: number } = {},
): Promise<Graph> {
  const workflow = readWorkflow(project, config.workflow, named);
  const document = withProjectWorkers(workflow.document, config.workers);
  const { manifest } = requireManifest(document, { file: workflow.name, config: services.config });
  if (options.start !== undefined) startNode(manifest, options.start);
  const start = options.start ?? Object.keys(manifest.nodes)[0];
  return {
    workflow: workflow.name,
    manifest,
    text: drawGraph(manifest, { ...options, ...(start === undefined ? {} : { start }) }),
    mermaid: mermaid(manifest).trimEnd(),
  };
}
