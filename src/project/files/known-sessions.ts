import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STATE_FOLDER } from '../../config/config-file.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { hasStore, openStore, type Store } from '../../store/open.ts';
import { taskOfWorktree, worktreeIdOf } from '../../tasks/prepare/git/names.ts';
import { deliversAll, findDelivered } from '../../workspace/delivery/find-delivered.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { type KnownSession, ownerOf } from '../../workspace/worktrees/owners.ts';
import { readRecords, type WorktreeRecord } from '../../workspace/worktrees/record.ts';
import { type OpenProject, openAt } from '../open.ts';
import { readSession } from '../sessions/list.ts';

/**
 * What the sessions say about the worktrees there are; one that cannot be read might still continue. Whether their work
 * was delivered is git's to say, and is asked only where worktrees are to be removed: see `withDelivered`.
 */
export async function knownSessions(opened: OpenProject, repo: Repository): Promise<KnownSession[]> {
  const known: KnownSession[] = [];
  const stores = new Map<string, Store>();
  const ids = new Set(opened.sessions.ids());
  try {
    for (const { id } of await readRecords(repo.commonDir)) {
      const task = taskOfWorktree(id);
      const resumable = await (task === undefined
        ? canGoOn(opened, repo, id, ids)
        : taskCanGoOn(opened, repo, task, stores));
      if (resumable !== undefined) known.push({ id, resumable });
    }
  } finally {
    for (const store of stores.values()) store.close();
  }
  return known;
}

/** The same, each that has ended with whether a branch of the person's has all of its work. */
export async function withDelivered(
  repo: Repository,
  known: readonly KnownSession[],
): Promise<KnownSession[]> {
  const records = new Map((await readRecords(repo.commonDir)).map((record) => [record.id, record]));
  const asked: KnownSession[] = [];
  for (const session of known) {
    const record = records.get(session.id);
    const ended = record !== undefined && !session.resumable;
    const delivered = ended && (await isDelivered(repo, taskOfWorktree(session.id) ?? session.id, record));
    asked.push({ ...session, delivered });
  }
  return asked;
}

/** Undefined when no backlog of any project here knows the task. */
async function taskCanGoOn(
  { project }: OpenProject,
  repo: Repository,
  task: string,
  stores: Map<string, Store>,
): Promise<boolean | undefined> {
  const owner = ownerOf(repo, worktreeIdOf(task));
  const folder = join(owner?.project ?? project.dir, STATE_FOLDER);
  if (!hasStore(folder)) return owner?.alive === true ? true : undefined;
  const store = stores.get(folder) ?? openStore(folder);
  stores.set(folder, store);
  const found = await store.backlog.get(task);
  return found && found.state !== 'done' && found.state !== 'cancelled';
}

/** Undefined when no session of any project here knows the worktree. */
function canGoOn(
  { sessions, project }: OpenProject,
  repo: Repository,
  id: string,
  ids: ReadonlySet<string>,
): boolean | undefined {
  if (ids.has(id)) return isResumable(sessions, id);
  const owner = ownerOf(repo, id);
  if (!owner) return undefined;
  if (owner.project !== project.dir && existsSync(owner.project)) {
    const other = openAt(owner.project).sessions;
    if (other.ids().includes(id)) return isResumable(other, id);
  }
  return owner.alive ? true : undefined;
}

function isResumable(sessions: SessionManager, id: string): boolean {
  const listed = readSession(sessions, id);
  if ('problem' in listed) return true;
  const { status } = listed.summary;
  return status !== 'completed' && status !== 'aborted';
}

/** Whether some branch of the person's has all that the session's branch has. */
async function isDelivered(repo: Repository, id: string, { branch }: WorktreeRecord): Promise<boolean> {
  const git = new BoundGit(repo.dir);
  const work = await git.try(['rev-parse', '-q', '--verify', `refs/heads/${branch}`]);
  if (work.code !== 0) return false;
  const commit = await deliveryOf(git, id);
  return commit !== undefined && deliversAll(git, commit, work.stdout.trim());
}

/** The commit that delivered a session, on any branch that is not a session's own. */
export async function deliveryOf(git: BoundGit, id: string): Promise<string | undefined> {
  const names = await git.out(['for-each-ref', '--format=%(refname)', 'refs/heads/']);
  for (const name of names.split('\n')) {
    if (name === '' || name.startsWith('refs/heads/loopwright/')) continue;
    const found = await findDelivered(git, id, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
