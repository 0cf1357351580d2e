import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { action, advise } from '../../kernel/action.ts';
import { namesIn } from '../../process/if-there.ts';
import { adviceFor, findGitLocks } from '../git/git-locks.ts';
import { clearDeadLockFiles, withRepoLock } from '../git/repo-lock.ts';
import { adminEntryOf } from './admin-entry.ts';
import { PRIVATE_INDEX } from './copy-changes.ts';
import { finishLeftover, removeFolder } from './erase.ts';
import type { Finding } from './finding.ts';
import { isPresent, type WorktreeHome } from './home.ts';
import { healMoved } from './moved.ts';
import type { KnownSession } from './owners.ts';
import { readRecords, type WorktreeRecord } from './record.ts';

/** Compares sessions, folders and git's entries; heals what can lose nothing and reports the rest. */
export function reconcileWorktrees(
  home: WorktreeHome,
  sessions: readonly KnownSession[],
): Promise<Finding[]> {
  return withRepoLock(
    home.repo,
    async () => {
      const findings: Finding[] = [];
      await clearDeadLockFiles(home.repo.commonDir);
      await clearPrivateIndexes(home.repo.commonDir);
      const known = new Map(sessions.map((session) => [session.id, session]));
      for (const record of await readRecords(home.repo.commonDir)) {
        findings.push(...(await reconcileOne(home, record, known.get(record.id))));
      }
      findings.push(...(await strayFolders(home)), ...(await gitLocks(home)));
      return findings;
    },
    { purpose: 'comparing worktrees and sessions' },
  );
}

async function reconcileOne(
  home: WorktreeHome,
  record: WorktreeRecord,
  session: KnownSession | undefined,
): Promise<Finding[]> {
  const { id, path } = record;
  const moved = record.state === 'ready' ? await healMoved(home, record) : undefined;
  if (moved) return [moved];
  const left = await finishLeftover(home, id);
  if (left !== undefined) {
    const found: Finding = {
      kind: left,
      id,
      path,
      healed: true,
      message: `The worktree ${id} was ${LEFT[left]}.`,
    };
    return left === 'half-restored' ? [found, ...(await folderGone(home, record, session))] : [found];
  }
  if (await isPresent(path)) return session ? [] : [withoutSession(record)];
  return folderGone(home, record, session);
}

const LEFT = {
  'half-made': 'only half made when its process died; it was undone',
  'half-restored': 'only half restored when its process died; the half was taken away',
  'half-removed': 'being removed when its process died; that is finished',
};

async function folderGone(
  { repo, root }: WorktreeHome,
  { id, path, branch }: WorktreeRecord,
  session: KnownSession | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (await adminEntryOf(repo.commonDir, path)) {
    await removeFolder(repo, path, root);
    const message = `The folder of worktree ${id} was deleted by hand; git's record was updated. Its branch ${branch} stays.`;
    findings.push({ kind: 'folder-gone', id, path, healed: true, message });
  }
  if (session?.resumable) {
    findings.push({
      kind: 'session-without-folder',
      id,
      path,
      healed: false,
      message: `The session ${id} can be continued, but its folder ${path} is gone.`,
      next: action('session.resume', 'Have it made again from its last checkpoint', { session: id }),
    });
  }
  return findings;
}

function withoutSession({ id, path }: WorktreeRecord): Finding {
  return {
    kind: 'folder-without-session',
    id,
    path,
    healed: false,
    message: `No session knows the worktree ${path}.`,
    next: action('worktree.gc', 'See what it holds', { dryRun: true }),
  };
}

async function strayFolders({ repo, root }: WorktreeHome): Promise<Finding[]> {
  const known = new Set((await readRecords(repo.commonDir)).map(({ path }) => path));
  const strays = (await namesIn(root)).filter((name) => !known.has(join(root, name)));
  return strays.map((name) => ({
    kind: 'stray-folder',
    id: name,
    path: join(root, name),
    healed: false,
    message: `${join(root, name)} lies among the worktrees but is not known as one.`,
    next: advise('Look into it, and move or remove it by hand.'),
  }));
}

async function gitLocks({ repo }: WorktreeHome): Promise<Finding[]> {
  return (await findGitLocks(repo)).map(({ path }) => ({
    kind: 'git-lock',
    id: '',
    path,
    healed: false,
    message: `git is locked by ${path}.`,
    next: advise(adviceFor(path)),
  }));
}

async function clearPrivateIndexes(commonDir: string): Promise<void> {
  const home = join(commonDir, 'loopwright');
  for (const name of await namesIn(home)) {
    if (name.startsWith(PRIVATE_INDEX)) await rm(join(home, name), { recursive: true, force: true });
  }
}
