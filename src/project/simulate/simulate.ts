import { readFileSync } from 'node:fs';
import { errorMessage, UsageError } from '../../kernel/errors.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import { parseManifestText } from '../../manifest/load-error.ts';
import type { OpenProject } from '../open.ts';
import { readWorkflow } from '../runs/workflow.ts';
import { runScenario, type Simulated } from './simulation.ts';
import { readScenario, type Scenario } from './stubs.ts';

export interface Simulation extends Simulated {
  readonly workflow: string;
  /** The blocks that were run, in order. */
  readonly path: readonly string[];
  readonly expected: Scenario['expect'];
  /** What is not as the scenario expects, in lines for a person. */
  readonly differences: readonly string[];
}

/** Runs a workflow through the real engine with the scripted answers of a scenario file. */
export async function simulate(
  { project, config, services }: OpenProject,
  named: string | WorkflowManifest | undefined,
  { stubs, start }: { readonly stubs: string; readonly start?: string },
): Promise<Simulation> {
  const workflow = readWorkflow(project, config.workflow, named);
  const scenario = readScenario(readStubs(stubs), stubs);
  const result = await runScenario(workflow.document as WorkflowManifest, scenario, {
    file: stubs,
    config: services.config,
    ...(start === undefined ? {} : { start }),
  });
  const path = result.trail.filter(({ ran }) => ran).map(({ block }) => block);
  const wrong = differences(scenario.expect, { status: result.status, path });
  return { workflow: workflow.name, ...result, path, expected: scenario.expect, differences: wrong };
}

function readStubs(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The stub file ${file} cannot be read: ${errorMessage(error)}`, {
      next: 'Check its path.',
      cause: error,
    });
  }
  return parseManifestText(text, file);
}

interface Actual {
  readonly status: string;
  readonly path: readonly string[];
}

/** What is different from the expectation, as lines for a person; none when all is as expected. */
export function differences(expected: Scenario['expect'], actual: Actual): string[] {
  if (!expected) return [];
  const lines: string[] = [];
  if (expected.status !== undefined && expected.status !== actual.status) {
    lines.push(`status: expected ${expected.status}, got ${actual.status}`);
  }
  if (expected.path && !equal(expected.path, actual.path))
    lines.push(...pathLines(expected.path, actual.path));
  return lines;
}

function pathLines(expected: readonly string[], actual: readonly string[]): string[] {
  const width = Math.max('expected'.length, ...expected.map((block) => block.length));
  const rows = Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => {
    const [wanted = '-', got = '-'] = [expected[index], actual[index]];
    const mark = wanted === got ? ' ' : '✗';
    return `${mark} ${String(index + 1).padStart(3)}  ${wanted.padEnd(width)}  ${got}`;
  });
  return ['path:', `       ${'expected'.padEnd(width)}  got`, ...rows];
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
