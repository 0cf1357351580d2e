import { rmSync } from 'node:fs';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { logFolderOf } from '../../tasks/prepare/make-ready.ts';
import { tearDown } from '../../tasks/prepare/teardown.ts';
import { BoundGit } from '../../workspace/checkpoints/bound-git.ts';
import { pruneCheckpoints } from '../../workspace/checkpoints/prune.ts';
import { sessionRefs } from '../../workspace/checkpoints/ref-names.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import type { OpenProject } from '../open-project.ts';
import { readSession } from '../session-list.ts';
import { deliveryOf, knownSessions } from './known-sessions.ts';
import { isRepository, managerOf } from './session-files.ts';

const DAY = 86_400_000;

/**
 * Removes ended sessions beyond the configured age and number, with their worktrees. Never one that can still
 * be resumed, and never one whose work is only in its worktree, its branch or its checkpoints. Gives what it did.
 */
export async function applyRetention(
  opened: OpenProject,
  { except }: { readonly except: string | undefined },
): Promise<string[]> {
  const { days, count } = opened.config.retention;
  if (days === undefined && count === undefined) return [];
  const now = Date.now();
  const beyond = endedSessions(opened).filter(
    ({ updatedAt }, i) =>
      (count !== undefined && i >= count) || (days !== undefined && now - updatedAt > days * DAY),
  );
  const chosen = beyond.filter(({ id }) => id !== except);
  if (chosen.length === 0) return [];
  const removeFiles = await remover(opened);
  const notes: string[] = [];
  for (const { id, files } of chosen) {
    const problems = files === null ? [] : await removeFiles(id);
    if (!problems) continue;
    rmSync(logFolderOf(opened.project.folder, id), { recursive: true, force: true });
    opened.services.sessions.remove(id);
    notes.push(...problems, `removed the ended session ${id}, as "retention" says`);
  }
  return notes;
}

/** Newest first; a failed session can be retried, so it has not ended. */
function endedSessions({ services }: OpenProject): SessionState[] {
  const states = services.sessions.ids().flatMap((id) => {
    const listed = readSession(services.sessions, id);
    if ('problem' in listed || listed.snapshot.ownerAlive) return [];
    const { state } = listed.snapshot;
    return state.status === 'completed' || state.status === 'aborted' ? [state] : [];
  });
  return states.sort((a, b) => b.updatedAt - a.updatedAt);
}

type RemoveFiles = (id: string) => Promise<string[] | undefined>;

/** What removes the files of a session: undefined when something would be lost, else what went wrong on the way. */
async function remover(opened: OpenProject): Promise<RemoveFiles> {
  const { dir } = opened.project;
  if (!(await isRepository(dir))) return () => Promise.resolve(undefined);
  const repo = await openRepository(dir);
  const manager = managerOf(repo, opened);
  const sessions = await knownSessions(opened, repo);
  const items = new Map((await manager.gc({ sessions, dryRun: true })).map((item) => [item.id, item]));
  return async (id) => {
    const item = items.get(id);
    if (!item && (await isWorkLeft(repo, id))) return undefined;
    if (item && item.action !== 'would-remove') return undefined;
    const problems = item ? await tearDown(opened.config, item) : [];
    const delivered = sessions.some((known) => known.id === id && known.delivered === true);
    if (item && !(await manager.remove(id, { deleteBranch: true, delivered })).removed) return undefined;
    await pruneCheckpoints(repo.dir, id);
    return problems;
  };
}

/** Without a worktree, work can be left on its branch or in its checkpoints. */
async function isWorkLeft(repo: Repository, id: string): Promise<boolean> {
  const git = new BoundGit(repo.dir);
  const places = [`refs/heads/loopwright/${id}`, `${sessionRefs(id)}/`];
  const refs = await git.out(['for-each-ref', '--count=1', '--format=%(refname)', ...places]);
  return refs !== '' && (await deliveryOf(git, id)) === undefined;
}
