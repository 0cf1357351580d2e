import { branchOf } from '../../tasks/prepare/git/names.ts';
import { tearDown } from '../../tasks/prepare/make-ready.ts';
import { listCheckpoints } from '../../workspace/checkpoints/checkpoint-list.ts';
import { pruneCheckpoints } from '../../workspace/checkpoints/prune.ts';
import { sessionRefs } from '../../workspace/checkpoints/ref-names.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import type { GcItem } from '../../workspace/worktrees/gc.ts';
import type { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';
import type { KnownSession } from '../../workspace/worktrees/owners.ts';
import { deliveryOf, knownSessions, withDelivered } from '../files/known-sessions.ts';
import { isRepository } from '../files/session-workspace.ts';
import { managerOf } from '../files/worktree-services.ts';
import type { OpenProject } from '../open.ts';
import { readSession } from '../sessions/list.ts';
import { taskOfSession } from '../sessions/task-session.ts';
import { clonesOf } from './clones.ts';

/** How many commits of a branch are looked at: the runs of a task add one each. */
const LOOKED_AT = 200;

/** What would be lost with the files of a session, or what went wrong on the way of removing them. */
export type FilesRemoved =
  | { readonly removed: true; readonly problems: readonly string[] }
  | { readonly removed: false; readonly why: string };

/** Removes worktree, branch and checkpoints of sessions that go; never what is held nowhere else. */
export interface FilesRemover {
  /** Why they would stay; undefined when they would go. */
  objection(id: string): Promise<string | undefined>;
  remove(id: string): Promise<FilesRemoved>;
}

/** `going`: sessions that are deleted whatever state they are in. `force`: whatever work they hold, too. */
export async function filesRemover(
  opened: OpenProject,
  going: readonly string[] = [],
  { force = false }: { readonly force?: boolean } = {},
): Promise<FilesRemover> {
  const { dir } = opened.project;
  const clones = await clonesOf(opened);
  if (!(await isRepository(dir))) return clonesRemover(opened, clones);
  const repo = await openRepository(dir);
  const manager = managerOf(repo, opened);
  const asked = await withDelivered(repo, await knownSessions(opened, repo));
  const sessions = asked.map((known) => (going.includes(known.id) ? { ...known, resumable: false } : known));
  const items = new Map((await manager.gc({ sessions, dryRun: true })).map((item) => [item.id, item]));
  const inClones = clonesRemover(opened, clones);
  const objection = async (id: string) =>
    (await objectionTo(repo, { id, task: taskOf(opened, id) }, items.get(id))) ??
    (clones.length === 0 ? undefined : await inClones.objection(id));
  return {
    objection,
    async remove(id) {
      const why = force ? undefined : await objection(id);
      if (why !== undefined) return { removed: false, why };
      await prune(clones, id);
      return removeAll(opened, { repo, manager, sessions, force }, id, items.get(id));
    },
  };
}

/** What a session left in the clones of github mode, which is all there is where the project has no git. */
function clonesRemover(opened: OpenProject, clones: readonly Repository[]): FilesRemover {
  const objection = async (id: string): Promise<string | undefined> => {
    if (clones.length === 0) return `${opened.project.dir} is no longer a git repository`;
    const going = { id, task: taskOf(opened, id) };
    for (const clone of clones) if (await isWorkLeft(clone, going)) return WORK_LEFT;
    return undefined;
  };
  return {
    objection,
    async remove(id) {
      const why = await objection(id);
      if (why !== undefined) return { removed: false, why };
      await prune(clones, id);
      return { removed: true, problems: [] };
    },
  };
}

async function prune(clones: readonly Repository[], id: string): Promise<void> {
  for (const clone of clones) await pruneCheckpoints(clone.dir, id);
}

const WORK_LEFT = 'Its branch or its checkpoints hold work that was delivered nowhere.';

/** Which session, and the task it is a run of. */
interface Going {
  readonly id: string;
  readonly task: string | undefined;
}

function taskOf({ services }: OpenProject, id: string): string | undefined {
  const listed = readSession(services.sessions, id);
  return 'summary' in listed ? taskOfSession(listed.summary) : undefined;
}

async function objectionTo(repo: Repository, going: Going, item: GcItem | undefined) {
  if (item) return item.action === 'would-remove' ? undefined : item.reason;
  return (await isWorkLeft(repo, going)) ? WORK_LEFT : undefined;
}

async function removeAll(
  opened: OpenProject,
  {
    repo,
    manager,
    sessions,
    force,
  }: {
    readonly repo: Repository;
    readonly manager: GitWorktreeManager;
    readonly sessions: readonly KnownSession[];
    readonly force: boolean;
  },
  id: string,
  item: GcItem | undefined,
): Promise<FilesRemoved> {
  const problems = item ? await tearDown(opened.config, item) : [];
  const delivered = sessions.some((known) => known.id === id && known.delivered === true);
  if (item) {
    const done = await manager.remove(id, { deleteBranch: true, delivered, force });
    if (!done.removed) return { removed: false, why: done.message };
  } else if (force) await new BoundGit(repo.dir).try(['update-ref', '-d', `refs/heads/loopwright/${id}`]);
  await pruneCheckpoints(repo.dir, id);
  return { removed: true, problems };
}

/** Without a worktree, work can be left on its branch or in its checkpoints. */
async function isWorkLeft(repo: Repository, { id, task }: Going): Promise<boolean> {
  const git = new BoundGit(repo.dir);
  const places = [`refs/heads/loopwright/${id}`, `${sessionRefs(id)}/`];
  const refs = await git.out(['for-each-ref', '--count=1', '--format=%(refname)', ...places]);
  if (refs === '' || (await deliveryOf(git, id)) !== undefined) return false;
  return task === undefined || !(await isOnBranch(git, id, branchOf(task)));
}

/** Whether the branch of a task has what the newest checkpoint of its run holds. */
async function isOnBranch(git: BoundGit, id: string, branch: string): Promise<boolean> {
  const newest = (await listCheckpoints(git, id)).at(-1);
  const range = ['-n', String(LOOKED_AT), '--format=%T', `refs/heads/${branch}`, '--'];
  const { code, stdout } = await git.try(['log', ...range]);
  if (newest === undefined || code !== 0) return false;
  return stdout.split('\n').includes(await git.out(['rev-parse', `${newest.commit}^{tree}`]));
}
