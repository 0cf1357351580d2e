import { join } from 'node:path';
import { indent } from '../../kernel/words.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { openProject } from '../../project/open.ts';
import { packageRoot } from '../../project/package-root.ts';
import { prepareManifest } from '../../project/runs/prepare-manifest.ts';
import { DEFAULT_WORKFLOW, readWorkflow } from '../../project/runs/workflow.ts';
import { demoDiff, GOAL, makeDemoProject } from '../demo/project.ts';
import type { Screen } from '../output.ts';
import { runSession } from '../run-session.ts';
import { shellWord } from '../self.ts';

export interface DemoOptions {
  readonly halt?: true;
  readonly keep?: true;
  readonly json?: true;
}

/** The shipped test-fix workflow on a small repository of its own, with an agent that needs no model. */
export async function demo(screen: Screen, options: DemoOptions): Promise<number> {
  const script = options.halt ? 'stubborn.json' : 'slugify.json';
  const dir = await makeDemoProject({
    keep: options.keep ?? false,
    cwd: process.cwd(),
    script: join(packageRoot(), 'workflows', 'demo', script),
  });
  const opened = openProject(dir);
  const { project, services } = opened;
  const orchestrator = new Orchestrator(
    prepareManifest(readWorkflow(project, undefined, DEFAULT_WORKFLOW), opened),
    services,
  );
  const { bold, dim } = screen.style;
  const json = options.json ?? false;
  const { exitCode } = await runSession(
    {
      screen,
      project,
      orchestrator,
      sessions: services.sessions,
      json,
      wait: true,
      announce: (display, id) => {
        display.line(bold('A repository with a failing test, and an agent whose first attempt is wrong.'));
        display.line(dim(`${dir}   session ${id}`));
        display.line(
          dim(
            'The agent plays a script: no model, no key, no network. Its process, the tests and the files are real.',
          ),
        );
        display.line();
      },
      completed: async () => {
        const diff = await demoDiff(dir, { color: screen.color });
        screen.line();
        screen.line(bold('What changed'));
        screen.line(indent(diff.trimEnd()));
        screen.line();
        screen.line(`${screen.style.cyan('look:')} cd ${shellWord(dir)} && git diff && node --test`);
      },
      guidance: 'take the accents off, then trim the dashes',
    },
    (engine) => engine.execute('Feature_Implement', { goal: GOAL, workflow: DEFAULT_WORKFLOW }),
  );
  return exitCode;
}
