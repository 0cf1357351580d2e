import { UsageError } from '../../kernel/errors.ts';
import { bringBack } from '../../project/files/bring-back.ts';
import { openKeptSession, refuseOwned } from '../../project/files/opened-session.ts';
import { noteRewind, rewindFiles } from '../../project/files/pending-rewind.ts';
import { parsePosition } from '../option-values.ts';
import type { Screen } from '../output.ts';

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
  const step = parsePosition(options.to);
  const kept = await openKeptSession(written, options.dir);
  refuseOwned(kept);
  const { opened, id, repo } = kept;
  // An earlier one that was interrupted is finished first: it decides which checkpoints there are.
  const worktree = await bringBack(opened, repo, kept);
  const checkpoint = await kept.checkpoints.at(step);
  if (!checkpoint) {
    throw new UsageError(`Session ${id} has no checkpoint at or before step ${step}.`, {
      next: `See which are left: git for-each-ref refs/loopwright/${id}`,
    });
  }
  const rewinding = { step, commit: checkpoint.commit };
  noteRewind(opened, id, rewinding);
  const session = await opened.services.sessions.rewind(id, step);
  try {
    const aside = await rewindFiles(opened, id, worktree.path, rewinding);
    if (options.json) screen.json({ session: id, step, checkpoint: checkpoint.ref, aside });
    else {
      screen.line(`Session ${id} and its files are back at the end of step ${step}.`);
      if (aside.length > 0) screen.line(screen.style.dim(`What came later is kept as ${aside.join(', ')}.`));
      screen.line(
        `${screen.style.cyan('next:')} ${opened.project.command('resume', id, '--guidance', '...')}`,
      );
    }
    return 0;
  } finally {
    session.release();
  }
}
