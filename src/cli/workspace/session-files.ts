import { join } from 'node:path';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { OrchestratorServices } from '../../orchestrator/services.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import { tryGit } from '../../workspace/git/run-git.ts';
import { type CreatedWorktree } from '../../workspace/worktrees/create.ts';
import { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';
import type { OpenProject } from '../open-project.ts';
import { keptFiles } from './kept-files.ts';
import { makeReady } from './make-ready.ts';
import { openPlans, type TurnOptions, turnsOf } from './turns.ts';

export interface WorktreeOptions extends TurnOptions {
  readonly base?: string;
  readonly includeDirty?: boolean;
}

/** Where a session works, and everything around it that has to be told or undone. */
export interface SessionFiles {
  readonly services: Partial<OrchestratorServices>;
  readonly payload: readonly ContextSegment[];
  /** For a person, before the first step. */
  readonly notes: readonly string[];
  /** The session was never made: nothing of it stays. */
  undo(): Promise<void>;
  close(): void;
}

/** A worktree and branch of its own for a new session, ready to work in. */
export async function newWorktree(
  opened: OpenProject,
  id: string,
  options: WorktreeOptions,
): Promise<SessionFiles> {
  const { project } = opened;
  const repo = await openRepository(project.dir);
  const manager = managerOf(repo, opened);
  const { base, includeDirty = false } = options;
  const created = await manager.create({ id, includeDirty, ...(base === undefined ? {} : { base }) });
  const undo = async () => {
    await manager.remove(id, { force: true, deleteBranch: true });
  };
  try {
    const ready = await makeReady(opened, repo, created);
    const shared = filesAt(opened, id, join(created.path, repo.prefix), options);
    return {
      ...shared,
      payload: ready.payload,
      notes: [...worktreeNotes(created, project.dir), ...ready.notes],
      undo,
    };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** The project's own files: nothing is made, nothing is kept. */
export function inPlace(note: string): SessionFiles {
  return { services: {}, payload: [], notes: [note], undo: () => Promise.resolve(), close: () => undefined };
}

export async function isRepository(dir: string): Promise<boolean> {
  const { code } = await tryGit(['rev-parse', '--git-dir'], { cwd: dir });
  return code === 0;
}

/** The services of a session that has its worktree already. */
export function filesAt(
  opened: OpenProject,
  id: string,
  worktree: string,
  options: TurnOptions,
): Pick<SessionFiles, 'services' | 'close'> {
  const { project, services } = opened;
  const opening = openPlans(project);
  const { plans, database } = opening;
  return {
    services: {
      worktreePath: worktree,
      tree: keptFiles(worktree, id, plans),
      admission: turnsOf(opening, services.sessions, options),
      changePlan: {
        addToChangePlan: async (files) => {
          await plans.add(id, files);
        },
      },
      plannedFiles: async () => (await plans.planOf(id)).filter((path) => !/[*?[\]{}]|\/$/.test(path)),
    },
    close: () => database.close(),
  };
}

/** Where a stored session works: its worktree, or the project itself. */
export function filesOfSession(
  opened: OpenProject,
  state: SessionState,
  options: { noWait: boolean },
): Pick<SessionFiles, 'services' | 'close'> {
  const { worktree, files, id } = state;
  if (worktree !== undefined && files !== null)
    return filesAt(opened, id, worktree, { plan: [], ...options });
  return { services: worktree === undefined ? {} : { worktreePath: worktree }, close: () => undefined };
}

export function managerOf(repo: Repository, { config }: OpenProject): GitWorktreeManager {
  return new GitWorktreeManager(repo, { root: config.worktrees.root });
}

function worktreeNotes(created: CreatedWorktree, projectDir: string): string[] {
  const { dirty, submodules, branch } = created;
  const notes = [`works in its own worktree, on branch ${branch}`];
  if (dirty.changes.length > 0) {
    const files = dirty.changes.length === 1 ? 'file' : 'files';
    const what = `${dirty.changes.length} uncommitted ${files} of ${projectDir}`;
    notes.push(dirty.included ? `${what} copied in` : `${what} not included; --include-dirty copies them in`);
  }
  if (submodules.length > 0) notes.push(`submodules are left alone: ${submodules.join(', ')}`);
  return notes;
}
