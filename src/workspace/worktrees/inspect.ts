import { join } from 'node:path';
import { BoundGit } from '../git/bound-git.ts';
import { adviceFor, findGitLocks } from '../git/git-locks.ts';
import { copiedInto } from '../setup/copied-list.ts';
import { adminEntryOf } from './admin-entry.ts';
import { type Change, changesIn } from './changes.ts';
import { isPresent, type WorktreeHome } from './home.ts';
import type { WorktreeRecord } from './record.ts';

export type WorktreeHealth = 'clean' | 'dirty' | 'locked' | 'missing';

/** What is in a worktree and what would be lost with it. */
export interface Inspection {
  readonly health: WorktreeHealth;
  /** Why it is locked, and what to do. */
  readonly lock?: string;
  /** Uncommitted changes, without the files that setup put there. */
  readonly changes: readonly Change[];
  /** Commits that no other branch, remote branch or tag holds. */
  readonly unmerged: number;
  /** Commits that not even its own branch holds: they go with the folder. */
  readonly stranded: number;
  readonly branchCommit: string | undefined;
}

export async function inspect(home: WorktreeHome, record: WorktreeRecord): Promise<Inspection> {
  const { repo } = home;
  const { path, branch } = record;
  const entry = await adminEntryOf(repo.commonDir, path);
  const usable = entry !== undefined && (await isPresent(join(path, '.git')));
  const branchCommit = await commitOf(repo.dir, `refs/heads/${branch}`);
  const cwd = usable ? path : repo.dir;
  const tips = [...(usable ? ['HEAD'] : []), ...(branchCommit === undefined ? [] : [branchCommit])];
  const [changes, unmerged, stranded, lock] = await Promise.all([
    usable ? ownChanges(path, entry.dir) : [],
    countOutside(cwd, tips, record.baseCommit, branch),
    usable ? countOutside(cwd, ['HEAD'], record.baseCommit) : 0,
    entry ? lockOn(entry.dir, repo.commonDir, entry.lockedFor) : undefined,
  ]);
  const found = { changes, unmerged, stranded, branchCommit, ...(lock === undefined ? {} : { lock }) };
  if (!usable) return { ...found, health: 'missing' };
  if (lock !== undefined) return { ...found, health: 'locked' };
  return { ...found, health: changes.length > 0 ? 'dirty' : 'clean' };
}

async function ownChanges(path: string, adminDir: string): Promise<Change[]> {
  const [changes, copied] = await Promise.all([changesIn(path), copiedInto(adminDir)]);
  if (copied.length === 0) return changes;
  return changes.filter(
    (change) => !copied.some((own) => change.path === own || change.path.startsWith(`${own}/`)),
  );
}

/** Commits of `tips` that neither the base nor any branch but `except` (nor a remote branch or tag) reaches. */
async function countOutside(
  cwd: string,
  tips: readonly string[],
  baseCommit: string,
  except?: string,
): Promise<number> {
  if (tips.length === 0) return 0;
  const others = [
    ...(except === undefined ? [] : [`--exclude=${except}`]),
    '--branches',
    '--remotes',
    '--tags',
  ];
  const count = await new BoundGit(cwd).out(['rev-list', '--count', ...tips, '--not', baseCommit, ...others]);
  return Number(count);
}

async function commitOf(cwd: string, ref: string): Promise<string | undefined> {
  const { code, stdout } = await new BoundGit(cwd).try(['rev-parse', '-q', '--verify', `${ref}^{commit}`]);
  return code === 0 ? stdout.trim() : undefined;
}

async function lockOn(
  gitDir: string,
  commonDir: string,
  lockedFor: string | undefined,
): Promise<string | undefined> {
  if (lockedFor !== undefined) {
    return `It was locked with "git worktree lock"${lockedFor === '' ? '' : `: ${lockedFor}`}. Undo that with "git worktree unlock".`;
  }
  const own = (await findGitLocks({ gitDir, commonDir })).find(({ path }) => path.startsWith(gitDir));
  return own && `${own.path} exists. ${adviceFor(own.path)}`;
}
