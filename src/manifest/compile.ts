import { deepFreeze, isJsonObject, type JsonObject } from '../kernel/json.ts';
import { resolveRoster } from './compile/config-numbers.ts';
import { copyJson } from './compile/copy-json.ts';
import { type Draft, readDraft } from './compile/draft.ts';
import { indexNames } from './compile/names.ts';
import { inNewSpelling } from './compile/old-spellings.ts';
import {
  type Checked,
  resolveBlocks,
  resolveGates,
  resolveNode,
  type Surroundings,
} from './compile/resolve.ts';
import { gatherSchemas, type Schemas } from './compile/schemas.ts';
import { warnAboutBlock, warnAboutFlow } from './compile/warnings.ts';
import { checkRoster } from './compile/workers.ts';
import { ManifestInvalidError } from './load-error.ts';
import { type Place, type Problem, ProblemReport } from './problem.ts';
import type { ResolvedManifest, ResolvedNode } from './resolved.ts';
import { checkShape } from './schema.ts';
import { describeValue } from './shape/issues.ts';
import { compileStages, isStageWorkflow } from './stages/compile.ts';
import type { WorkerRegistry } from './worker.ts';

export interface CompileOptions {
  /** Named in every problem. */
  readonly file?: string;
  /** Without it, worker names are not checked. */
  readonly workers?: WorkerRegistry;
  /** Schemas of the program that `validationSchema` can name. */
  readonly schemas?: Schemas;
  /** Without it, `{{config.x}}` is not checked, and cannot stand for a number. */
  readonly config?: JsonObject;
  /** An unknown merge instruction is an error. */
  readonly strict?: boolean;
}

export interface Compiled {
  /** There exactly when no problem is an error. */
  readonly manifest?: ResolvedManifest;
  readonly problems: readonly Problem[];
}

const DEFAULT_STEPS = 1000;

/** Checks a manifest and resolves every name in it. One pass finds all problems. */
export function compileManifest(input: unknown, options: CompileOptions = {}): Compiled {
  const report = new ProblemReport(options.file);
  const given = readDocument(input, report);
  const written = given && isStageWorkflow(given) ? graphOfStages(given, report) : given;
  const document = written && inNewSpelling(written, report);
  if (!document) return { problems: report.problems };
  checkShape(document, report);
  const draft = readDraft(document);
  const around: Surroundings = {
    draft,
    names: indexNames(draft, report),
    schemas: gatherSchemas(draft, options.schemas, report),
    registry: options.workers,
    config: options.config,
    strict: options.strict ?? false,
    report,
  };
  const roster = resolveRoster(draft.workers, around);
  checkRoster(roster, options.workers, report);
  const nodes = draft.nodes.map((node) => resolveNode(node, around));
  const checked = draft.nodes.flatMap((node) => resolveBlocks(node, around));
  const gates = resolveGates(around);
  for (const block of checked) warnAboutBlock(block, report);
  if (report.hasErrors) return { problems: inOrder(report.problems, draft) };
  warnAboutFlow(nodes, checked, report);
  const problems = inOrder(report.problems, draft);
  return { manifest: assemble({ nodes, checked, gates, roster }, around), problems };
}

/** For a caller that has no use for a broken manifest: throws ManifestInvalidError with all problems. */
export function requireManifest(
  input: unknown,
  options: CompileOptions = {},
): { readonly manifest: ResolvedManifest; readonly warnings: readonly Problem[] } {
  const { manifest, problems } = compileManifest(input, options);
  if (!manifest) throw new ManifestInvalidError(problems);
  return { manifest, warnings: problems };
}

function readDocument(input: unknown, report: ProblemReport): JsonObject | undefined {
  const document = copyJson(input, report);
  if (document === undefined) return undefined;
  if (isJsonObject(document)) return document;
  report.error(
    { path: [] },
    `A manifest is an object of nodes by name, or { "nodes": { ... } }; this is ${describeValue(document)}.`,
  );
  return undefined;
}

/** The checks of the graph would speak of a document that nobody wrote, so they only see a sound pipeline. */
function graphOfStages(document: JsonObject, report: ProblemReport): JsonObject | undefined {
  const graph = compileStages(document, report);
  return graph && (JSON.parse(JSON.stringify(graph)) as JsonObject);
}

/** As the document reads from top to bottom, so that the problems of one block stand together. */
function inOrder(problems: readonly Problem[], draft: Draft): Problem[] {
  const places = draft.nodes.flatMap((node) => [node.place, ...node.blocks.map((block) => block.place)]);
  const ranks = new Map(places.map((place, index) => [placeKey(place), index]));
  const rank = (problem: Problem): number => ranks.get(placeKey(problem)) ?? -1;
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function placeKey({ node, block }: Place): string {
  return JSON.stringify([node, block]);
}

interface Parts {
  readonly nodes: readonly ResolvedNode[];
  readonly checked: readonly Checked[];
  readonly gates: readonly string[];
  readonly roster: ResolvedManifest['workers'];
}

function assemble(
  { nodes, checked, gates, roster }: Parts,
  { draft, schemas }: Surroundings,
): ResolvedManifest {
  const blocks = checked.map(({ block }) => block);
  const named = new Set([...Object.keys(draft.schemas), ...blocks.map((block) => block.validationSchema)]);
  const used = Object.entries(schemas).filter(([name]) => named.has(name));
  return deepFreeze({
    version: 1 as const,
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    blocks: Object.fromEntries(blocks.map((block) => [block.id, block])),
    workers: roster,
    budget: { steps: DEFAULT_STEPS, ...draft.budget },
    gates,
    schemas: Object.fromEntries(used),
  });
}
