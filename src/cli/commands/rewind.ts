import { parseStepNumber } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { openKeptSession, refuseRunning } from '../workspace/opened-session.ts';

export interface RewindOptions {
  readonly to: string;
  readonly dir?: string;
  readonly json?: true;
}

/** Takes a session and its files back to the end of a step. */
export async function rewind(
  screen: Screen,
  written: string | undefined,
  options: RewindOptions,
): Promise<number> {
  const step = parseStepNumber(options.to);
  const kept = await openKeptSession(written, options.dir);
  refuseRunning(kept);
  const { opened, id, checkpoints } = kept;
  const checkpoint = await checkpoints.at(step);
  const session = await opened.services.sessions.rewind(id, step);
  try {
    const restored = checkpoint ? await checkpoints.restore(checkpoint.commit) : undefined;
    if (options.json)
      screen.json({
        session: id,
        step,
        checkpoint: checkpoint?.ref ?? null,
        aside: restored?.aside?.ref ?? null,
      });
    else {
      screen.line(`Session ${id} and its files are back at the end of step ${step}.`);
      if (restored?.aside)
        screen.line(screen.style.dim(`What the files were before is kept as ${restored.aside.ref}.`));
      screen.line(
        `${screen.style.cyan('next:')} ${opened.project.command('resume', id, '--guidance', '...')}`,
      );
    }
    return 0;
  } finally {
    session.release();
  }
}
