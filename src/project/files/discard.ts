import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { isFinal } from '../../orchestrator/state/status.ts';
import { tearDown } from '../../tasks/prepare/make-ready.ts';
import { sessionRefs } from '../../workspace/checkpoints/ref-names.ts';
import { discard as discardWork } from '../../workspace/delivery/put-away.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { OpenProject } from '../open.ts';
import { refusal } from './deliver.ts';
import { noteDelivery } from './note-delivery.ts';
import { type OpenedSession, openKeptSession, refuseOwned } from './opened-session.ts';
import { leavePlans } from './turns.ts';

/** What discarding a session would delete, for whoever is asked first. */
export interface Discardable {
  readonly session: string;
  /** False when an earlier call has deleted it all. */
  readonly isAnythingLeft: boolean;
  /** Undefined when the folder is gone and nothing can be counted. */
  readonly changedFiles?: number;
}

export async function discardable(opened: OpenProject, written: string | undefined): Promise<Discardable> {
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, present, checkpoints } = kept;
  const changedFiles = present ? (await checkpoints.diff()).files.length : undefined;
  return {
    session: id,
    isAnythingLeft: await isAnythingLeft(kept),
    ...(changedFiles === undefined ? {} : { changedFiles }),
  };
}

export interface Discarded {
  readonly session: string;
  readonly kind: 'discarded';
  readonly removed: readonly string[];
  /** The last commit of its branch: git still finds it by this name for a while. */
  readonly commit?: string;
  /** What went wrong on the way and stopped nothing. */
  readonly problems: readonly string[];
}

/** Throws the work of a session away; one that could still continue is ended with it. */
export async function discard(opened: OpenProject, written: string | undefined): Promise<Discarded> {
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, worktree, path, branch, repo, manager } = kept;
  if (!(await isAnythingLeft(kept))) {
    await leavePlans(opened.project, id);
    return { session: id, kind: 'discarded', removed: [], problems: [] };
  }
  const problems = worktree ? await tearDown(opened.config, worktree) : [];
  const result = await discardWork({
    repo: repo.dir,
    worktree: path,
    branch,
    session: id,
    removeWorktree: async () => {
      await manager.remove(id, { force: true });
    },
  });
  if (result.kind === 'refused') throw refusal(result);
  // One whose folder was deleted by hand still has a record.
  await manager.remove(id, { force: true });
  await endSession(kept);
  await noteDelivery(opened, id, { kind: 'discarded' });
  await leavePlans(opened.project, id);
  return { session: id, ...result, problems };
}

async function isAnythingLeft({ id, worktree, branch, repo }: OpenedSession): Promise<boolean> {
  if (worktree) return true;
  const git = new BoundGit(repo.dir);
  const refs = await git.out([
    'for-each-ref',
    '--count=1',
    '--format=%(refname)',
    `refs/heads/${branch}`,
    `${sessionRefs(id)}/`,
  ]);
  return refs !== '';
}

/** Without its files a session cannot continue. */
async function endSession({ opened, id, snapshot }: OpenedSession): Promise<void> {
  if (isFinal(snapshot.state.status)) return;
  await Orchestrator.open(id, opened.services).abort('its files were discarded');
}
