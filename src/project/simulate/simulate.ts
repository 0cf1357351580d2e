import { readFileSync } from 'node:fs';
import { errorMessage, UsageError } from '../../kernel/errors.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import { parseManifestText } from '../../manifest/load-error.ts';
import type { OpenProject } from '../open.ts';
import { readWorkflow } from '../runs/workflow.ts';
import { differences } from './expectation.ts';
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
  named: string | undefined,
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
