import { join, posix } from 'node:path';
import type { OrchestratorServices } from '../../orchestrator/services.ts';
import { openStore } from '../../store/open.ts';
import { inspectionOf } from '../../tasks/prepare/inspection.ts';
import { madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { keptFiles } from '../../workspace/checkpoints/kept-files.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { GitWorktreeManager, type WorktreeManagerOptions } from '../../workspace/worktrees/manager.ts';
import { ownerOf } from '../../workspace/worktrees/owners.ts';
import type { OpenProject } from '../open.ts';
import { makeWorktree, readBeforeWork } from './make-worktree.ts';
import { type TurnOptions, turnsOf } from './turns.ts';
import { forgetUnmade, type Unmade } from './unmade-worktree.ts';

/** What the engine works with in a worktree, and what is to be closed afterwards. */
export interface WorktreeServices {
  readonly services: Partial<OrchestratorServices>;
  readonly checkpoints: TreeCheckpoints;
  close(): void;
}

/** The services of a session that has its worktree already, or gets it when its turn has come. */
export function worktreeServices(
  opened: OpenProject,
  repo: Repository,
  { id, path }: { readonly id: string; readonly path: string },
  { unmade, ...options }: TurnOptions & { readonly unmade?: Unmade },
): WorktreeServices {
  const { project, services } = opened;
  const store = openStore(project.folder);
  const { plans } = store;
  const manager = managerOf(repo, opened, { plans, session: id });
  const worktree = join(path, repo.prefix);
  const plan = options.plan.map((file) => fromTop(repo, file));
  const checkpoints = new TreeCheckpoints(worktree, id);
  const refresh = async () => {
    if (!(await manager.followBase(id))) return false;
    await setUp(opened.config, madeFrom(repo, { id, path }));
    await checkpoints.beginAnew();
    return true;
  };
  let isThere = unmade === undefined;
  const make = async (cancel: AbortSignal) => {
    if (isThere || !unmade) return [];
    const made = await makeWorktree(
      opened,
      repo,
      manager,
      { id, includeDirty: false, ...unmade },
      { cancel },
    );
    isThere = made !== undefined;
    return made?.payload;
  };
  const kept = keptFiles(checkpoints, (files) => manager.addToChangePlan(files));
  return {
    checkpoints,
    services: {
      worktreePath: worktree,
      tree: { ...kept, save: async (step, of) => (isThere ? kept.save(step, of) : undefined) },
      admission: turnsOf(plans, services.sessions, {
        isBeingMade: (session) => ownerOf(repo, session)?.alive === true,
        ...options,
        plan,
        refresh,
        ...(unmade ? { make } : {}),
      }),
      changePlan: {
        addToChangePlan: (files) => manager.addToChangePlan(files.map((file) => fromTop(repo, file))),
      },
      inspection: inspectionOf(opened.config, repo, {
        id,
        base: async () => (await manager.find(id))?.baseCommit ?? 'HEAD',
        delivered: () => checkpoints.tree(),
        before: () => readBeforeWork(path),
        folder: path,
        opened: () => services.sessions.load(id).state.paths.opened ?? [],
      }),
      plannedFiles: async () => plannedFiles(repo, await plans.planOf(id)),
    },
    close: () => {
      store.close();
      if (unmade && isThere && services.sessions.load(id).state.files !== null) forgetUnmade(project, id);
    },
  };
}

/** Plans name files from the top of the repository, as checkpoints do. */
export function fromTop({ prefix }: Repository, file: string): string {
  return prefix === '' || file.startsWith('/') ? file : posix.join(prefix, file);
}

/** The plain files of a plan, as the project names them. */
function plannedFiles({ prefix }: Repository, plan: readonly string[]): string[] {
  const plain = plan.filter((path) => !/[*?[\]{}]|\/$/.test(path));
  if (prefix === '') return plain;
  return plain.flatMap((path) => (path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : []));
}

export function managerOf(
  repo: Repository,
  { config }: OpenProject,
  plan?: WorktreeManagerOptions['plan'],
): GitWorktreeManager {
  return new GitWorktreeManager(repo, { root: config.worktrees.root, ...(plan ? { plan } : {}) });
}
