import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { readAdminEntries } from './admin-entry.ts';
import { eraseWorktree, finishLeftover } from './erase.ts';
import type { WorktreeHome } from './home.ts';
import { type Inspection, inspect } from './inspect.ts';
import { readRecord, type WorktreeRecord, writeRecord } from './record.ts';

export interface RemoveWorktree {
  /** Also with uncommitted changes, unmerged commits or a lock. */
  readonly force?: boolean;
  /** The branch goes too, unless another checkout is on it; without this it stays and keeps the commits. */
  readonly deleteBranch?: boolean;
  /** The result was accepted or discarded otherwise, so commits that are merged nowhere may go. */
  readonly delivered?: boolean;
}

export type RemovedWorktree =
  | {
      readonly removed: true;
      readonly id: string;
      readonly path: string;
      readonly branch: string;
      readonly branchDeleted: boolean;
      /** The branch's last commit: `git branch <name> <commit>` brings a deleted one back. */
      readonly commit: string | undefined;
      /** The newest checkpoint of its files, if there is one. */
      readonly checkpoint: string | undefined;
    }
  | {
      readonly removed: false;
      readonly id: string;
      readonly reason: Objection | 'unknown';
      readonly message: string;
      readonly next: string;
    };

export type Objection = 'locked' | 'uncommitted' | 'stranded' | 'unmerged';

export function removeWorktree(
  home: WorktreeHome,
  id: string,
  options: RemoveWorktree = {},
): Promise<RemovedWorktree> {
  const { force = false, delivered = false } = options;
  const { repo, onStep } = home;
  return withRepoLock(
    repo,
    async () => {
      await finishLeftover(home, id);
      const record = await readRecord(repo.commonDir, id);
      if (!record) return unknown(id);
      const inspection = await inspect(home, record);
      const deleteBranch = options.deleteBranch === true && !(await isUsedElsewhere(home, record));
      const objection = force
        ? undefined
        : objectionTo(inspection, { commitsGo: deleteBranch && !delivered });
      if (objection !== undefined) return refused(record, inspection, objection);
      const checkpoint = await newestCheckpoint(repo.dir, id);
      const decided: WorktreeRecord = { ...record, state: 'removing', deleteBranch };
      onStep('deciding-removal', id);
      await writeRecord(repo.commonDir, decided);
      await eraseWorktree(home, decided);
      const { path, branch } = record;
      const commit = inspection.branchCommit;
      return { removed: true, id, path, branch, branchDeleted: deleteBranch, commit, checkpoint };
    },
    { purpose: `removing the worktree ${id}` },
  );
}

/** What speaks against removing a worktree: something would be lost, or somebody locked it. */
export function objectionTo(
  inspection: Inspection,
  { commitsGo }: { readonly commitsGo: boolean },
): Objection | undefined {
  if (inspection.lock !== undefined) return 'locked';
  if (inspection.changes.length > 0) return 'uncommitted';
  if (inspection.stranded > 0) return 'stranded';
  return commitsGo && inspection.unmerged > 0 ? 'unmerged' : undefined;
}

/** Somebody looks at the branch in the main checkout or in a worktree of their own. */
async function isUsedElsewhere({ repo }: WorktreeHome, record: WorktreeRecord): Promise<boolean> {
  const entries = await readAdminEntries(repo.commonDir);
  if (entries.some(({ branch, folder }) => branch === record.branch && folder !== record.path)) return true;
  const main = await new BoundGit(repo.dir).try(['--git-dir', repo.commonDir, 'symbolic-ref', '-q', 'HEAD']);
  return main.stdout.trim() === `refs/heads/${record.branch}`;
}

/** The newest ref that a session left under `refs/loopwright`. */
async function newestCheckpoint(cwd: string, id: string): Promise<string | undefined> {
  // By number: several steps may be made within the second that a commit's date can tell.
  const args = ['for-each-ref', '--sort=-version:refname', '--count=1', '--format=%(refname)'];
  const ref = await new BoundGit(cwd).out([...args, `refs/loopwright/${id}/[0-9]*`]);
  return ref === '' ? undefined : ref;
}

export function describeObjection(objection: Objection, inspection: Inspection): string {
  const { changes, stranded, unmerged, lock = '' } = inspection;
  if (objection === 'locked') return lock;
  if (objection === 'uncommitted') {
    const names = changes.slice(0, 3).map(({ path }) => path);
    const more = changes.length > names.length ? ` and ${changes.length - names.length} more` : '';
    return `It has uncommitted changes: ${names.join(', ')}${more}.`;
  }
  if (objection === 'stranded') return `It has ${stranded} commit(s) that are on no branch.`;
  return `Its branch has ${unmerged} commit(s) that are merged nowhere.`;
}

function refused(record: WorktreeRecord, inspection: Inspection, reason: Objection): RemovedWorktree {
  return {
    removed: false,
    id: record.id,
    reason,
    message: `The worktree ${record.id} was kept. ${describeObjection(reason, inspection)}`,
    next: `Look at ${record.path}; commit or merge what you need, or force its removal.`,
  };
}

function unknown(id: string): RemovedWorktree {
  return {
    removed: false,
    id,
    reason: 'unknown',
    message: `There is no worktree ${id}; nothing was removed.`,
    next: 'See which worktrees there are.',
  };
}
