import { readFileSync } from 'node:fs';
import { UsageError } from '../../kernel/errors.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import { parseManifestText } from '../../manifest/load-error.ts';
import { openProject } from '../../project/open.ts';
import { readWorkflow } from '../../project/runs/workflow.ts';
import { differences } from '../../project/simulate/expectation.ts';
import { runScenario, type Simulated } from '../../project/simulate/simulation.ts';
import { readScenario, type Scenario } from '../../project/simulate/stubs.ts';
import { Attempts, finishedLine, widestBlock } from '../display/steps.ts';
import type { Screen } from '../output.ts';

export interface SimulateOptions {
  readonly stubs: string;
  readonly start?: string;
  readonly dir?: string;
  readonly json?: true;
}

export async function simulate(
  screen: Screen,
  named: string | undefined,
  options: SimulateOptions,
): Promise<number> {
  const { project, config, services } = openProject(options.dir);
  const workflow = readWorkflow(project, config.workflow, named);
  const scenario = readScenario(readStubs(options.stubs), options.stubs);
  const result = await runScenario(workflow.document as WorkflowManifest, scenario, {
    file: options.stubs,
    config: services.config,
    ...(options.start === undefined ? {} : { start: options.start }),
  });
  const path = result.trail.filter(({ ran }) => ran).map(({ block }) => block);
  const wrong = differences(scenario.expect, { status: result.status, path });
  if (options.json)
    screen.json({
      workflow: workflow.name,
      ...result.json,
      path,
      expected: scenario.expect ?? null,
      differences: wrong,
    });
  else print(screen, result, scenario, wrong, project.command('run', '<goal>', '--workflow', workflow.name));
  return wrong.length === 0 ? 0 : 1;
}

function print(
  screen: Screen,
  result: Simulated,
  scenario: Scenario,
  wrong: readonly string[],
  next: string,
): void {
  const { green, red, yellow, cyan } = screen.style;
  printTrail(screen, result);
  const reason = result.reason === undefined ? '' : `: ${result.reason}`;
  screen.line(`${result.status}${reason}`);
  for (const line of result.unused) screen.line(yellow(`! ${line}`));
  if (wrong.length > 0) {
    screen.line();
    screen.line(`${red('✗')} not as expected`);
    for (const line of wrong) screen.line(`  ${line}`);
    screen.line(`${cyan('next:')} correct the workflow or the expectation, then simulate again`);
    return;
  }
  if (scenario.expect) screen.line(`${green('✓')} as expected`);
  screen.line(`${cyan('next:')} ${next}`);
}

function printTrail(screen: Screen, { trail, manifest }: Simulated): void {
  const attempts = new Attempts();
  const layout = { style: screen.style, width: widestBlock(manifest) };
  for (const entry of trail) {
    screen.line(finishedLine(entry, attempts.next(entry.block), layout));
    if (entry.ran) attempts.finished(entry.block);
  }
}

function readStubs(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The stub file ${file} cannot be read: ${(error as Error).message}`, {
      next: 'Check the path you gave as --stubs.',
      cause: error,
    });
  }
  return parseManifestText(text, file);
}
