import type { OpenProject } from '../open.ts';
import { bringBack } from './bring-back.ts';
import { noCheckpoint } from './fork.ts';
import { openKeptSession, refuseOwned } from './opened-session.ts';
import { noteRewind, rewindFiles } from './pending-rewind.ts';

export interface Rewound {
  readonly session: string;
  readonly step: number;
  readonly checkpoint: string;
  /** The refs that keep what came later. */
  readonly aside: readonly string[];
}

/** Takes a session and its files back to the end of a step. */
export async function rewind(
  opened: OpenProject,
  written: string | undefined,
  { to: step }: { readonly to: number },
): Promise<Rewound> {
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, repo } = kept;
  // An earlier one that was interrupted is finished first: it decides which checkpoints there are.
  const worktree = await bringBack(opened, repo, kept);
  const checkpoint = await kept.checkpoints.at(step);
  if (!checkpoint) throw noCheckpoint(id, step);
  const rewinding = { step, commit: checkpoint.commit };
  noteRewind(opened, id, rewinding);
  const session = await opened.sessions.rewind(id, step);
  try {
    const aside = await rewindFiles(opened, id, worktree.path, rewinding);
    return { session: id, step, checkpoint: checkpoint.ref, aside };
  } finally {
    session.release();
  }
}
