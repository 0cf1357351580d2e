import { UsageError } from '../../kernel/errors.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { leavePlans } from '../../project/files/turns.ts';
import { openProject } from '../../project/open.ts';
import { findSession } from '../../project/sessions/list.ts';
import type { Screen } from '../output.ts';

export interface AbortOptions {
  readonly reason?: string;
  readonly guidance?: string;
  readonly dir?: string;
  readonly json?: true;
}

export async function abort(
  screen: Screen,
  written: string | undefined,
  options: AbortOptions,
): Promise<number> {
  const { project, services } = openProject(options.dir);
  const id = findSession(services.sessions, written);
  const { state } = services.sessions.load(id);
  if (state.status === 'completed' || state.status === 'aborted') {
    throw new UsageError(`Session ${id} is ${state.status} already.`, {
      next: `Delete it with \`${project.command('clean', id)}\`.`,
    });
  }
  const { reason, guidance } = options;
  const ended = await Orchestrator.open(id, services).abort(
    reason,
    guidance === undefined ? {} : { guidance },
  );
  await leavePlans(project, id);
  if (options.json) {
    screen.json({ session: id, status: ended.status });
    return 0;
  }
  screen.line(`Session ${id} is aborted after ${ended.used.steps} steps; its files stay as they are.`);
  screen.line(`${screen.style.cyan('next:')} ${project.command('clean', id)}`);
  return 0;
}
