import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { excludeFromGit } from '../../workspace/git/exclude.ts';
import { oneLine } from '../display/words.ts';
import { openProject } from '../open-project.ts';
import { parseBudget, parseInputs } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { prepareManifest } from '../prepare-manifest.ts';
import { runSession } from '../run-session.ts';
import { readWorkflow } from '../workflow.ts';

export interface RunOptions {
  readonly workflow?: string;
  readonly start?: string;
  readonly step?: true;
  readonly input?: readonly string[];
  readonly budget?: string;
  readonly dir?: string;
  readonly wait: boolean;
  readonly json?: true;
}

export async function run(screen: Screen, goal: string, options: RunOptions): Promise<number> {
  const budget = options.budget === undefined ? undefined : parseBudget(options.budget);
  const inputs = parseInputs(options.input ?? []);
  const { project, config, services } = openProject(options.dir);
  const workflow = readWorkflow(project, config.workflow, options.workflow);
  const manifest = prepareManifest(workflow, { project, config, services });
  const orchestrator = new Orchestrator(manifest, services);
  const start = options.start ?? Object.keys(orchestrator.manifest.nodes)[0] ?? '';
  await excludeFromGit(project.dir);
  const { exitCode } = await runSession(
    {
      screen,
      project,
      orchestrator,
      sessions: services.sessions,
      json: options.json ?? false,
      wait: options.wait,
      announce: (display, id) => {
        const { bold, dim } = screen.style;
        display.line(`${bold(oneLine(goal))}  ${dim(`${workflow.name}, in ${project.dir}`)}`);
        display.line(dim(`session ${id}`));
        for (const warning of orchestrator.warnings)
          display.line(screen.style.yellow(`! ${warning.message}`));
      },
    },
    (engine) =>
      engine.execute(start, {
        goal,
        inputs,
        workflow: workflow.name,
        stepping: options.step ?? false,
        ...(budget ? { budget } : {}),
      }),
  );
  return exitCode;
}
