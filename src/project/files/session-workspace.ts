import { join } from 'node:path';
import { readPattern } from '../../backlog/pattern.ts';
import type { ActionInput } from '../../kernel/action.ts';
import { UsageError } from '../../kernel/errors.ts';
import { count } from '../../kernel/words.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { OrchestratorServices } from '../../orchestrator/services.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { openStore } from '../../store/open.ts';
import type { MakeReadyOptions } from '../../tasks/prepare/make-ready.ts';
import type { UsedCheck } from '../../workers/checks-used.ts';
import { pruneCheckpoints } from '../../workspace/checkpoints/prune.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import { resolveStart } from '../../workspace/git/resolve-start.ts';
import type { CreatedWorktree } from '../../workspace/worktrees/create.ts';
import { noteOwner, ownerOf } from '../../workspace/worktrees/owners.ts';
import type { OpenProject } from '../open.ts';
import { bringBack } from './bring-back.ts';
import { filesInPlace } from './in-place.ts';
import { knownSessions } from './known-sessions.ts';
import { type Made, makeWorktree } from './make-worktree.ts';
import { leavePlans, standInLine, type TurnOptions } from './turns.ts';
import { forgetStray, forgetUnmade, noteUnmade, readUnmade, type Unmade } from './unmade-worktree.ts';
import { fromTop, managerOf, type WorktreeServices, worktreeServices } from './worktree-services.ts';

export interface WorktreeOptions extends TurnOptions {
  readonly base?: string;
  readonly includeDirty?: boolean;
  /** The commands of the project that the workflow runs: they are run once on the untouched files. */
  readonly checks?: readonly UsedCheck[];
  /** Ends setup and checks; nothing is kept then. */
  readonly cancel?: AbortSignal;
  /** How the same is started again, once what stopped it was corrected. */
  readonly again?: ActionInput;
  /** Called when something begins that takes a while. */
  readonly onPreparing?: (what: string) => void;
}

/** Where a session works, and everything around it that has to be told or undone. */
export interface SessionWorkspace {
  readonly services: Partial<OrchestratorServices>;
  readonly payload: readonly ContextSegment[];
  /** For a person, before the first step. */
  readonly notes: readonly string[];
  /** How many uncommitted files of the checkout were not copied in. */
  readonly leftOut?: number;
  /** How a path of the project is called in its files. */
  readonly fromTop?: (path: string) => string;
  /** The session was never made: nothing of it stays. */
  undo(): Promise<void>;
  close(): void;
}

/** A worktree and branch of its own for a new session: ready to work in, or to be made when its turn has come. */
export async function newWorktree(
  opened: OpenProject,
  repo: Repository,
  id: string,
  options: WorktreeOptions,
): Promise<SessionWorkspace> {
  const { project } = opened;
  const manager = managerOf(repo, opened);
  // A plan that cannot be is found out before anything is made for it.
  const plan = options.plan.map((file) => fromTop(repo, file));
  for (const file of plan) readPattern(file);
  const findings = await manager.reconcile(await knownSessions(opened, repo));
  const { base = branchOf(repo), includeDirty = false } = options;
  const unmade = {
    followsBase: options.base === undefined && !includeDirty,
    checks: [...(options.checks ?? [])],
    ...(base === undefined ? {} : { base }),
  };
  noteOwner(repo, project.dir, id);
  const undo = async () => {
    await manager.remove(id, { force: true, deleteBranch: true });
    await pruneCheckpoints(repo.dir, id);
    // Last: a damaged store must not keep the files from being removed.
    await leavePlans(project, id);
  };
  const notes = findings.map(({ message }) => message);
  const place = { id, path: join(manager.root, id) };
  try {
    // What lies uncommitted in the checkout now cannot be copied in later.
    if (!includeDirty && !(await hasFreeWay(opened, repo, id, { ...options, plan }))) {
      const stored = new Set(opened.sessions.ids());
      forgetStray(project, (other) => stored.has(other) || ownerOf(repo, other)?.alive === true);
      const later = await fixedBase(repo, id, unmade, options.base);
      noteUnmade(project, id, later);
      const waiting = worktreeServices(opened, repo, place, { ...options, unmade: later });
      return {
        ...waiting,
        fromTop: (path) => fromTop(repo, path),
        payload: [],
        notes: [...notes, 'its worktree is made when its turn has come'],
        undo,
      };
    }
    const checks = unmade.checks.length === 0 ? '' : ' and running the checks once on it';
    options.onPreparing?.(`making a worktree${checks}`);
    const { made, shared } = await madeWhileOpening(
      (ready) =>
        makeWorktree(
          opened,
          repo,
          manager,
          { id, includeDirty, ...unmade },
          { ...ready, again: options.again },
        ),
      () => worktreeServices(opened, repo, place, options),
      options.cancel,
    );
    const told = [...notes, ...worktreeNotes(made.created, project.dir), ...made.notes];
    const { dirty } = made.created;
    const leftOut = dirty.included ? 0 : dirty.changes.length;
    return {
      ...shared,
      fromTop: (path) => fromTop(repo, path),
      payload: made.payload,
      notes: told,
      leftOut,
      undo,
    };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** The checks of a new worktree take a while: store and checkpoints are opened meanwhile. */
async function madeWhileOpening(
  make: (ready: MakeReadyOptions) => Promise<Made | undefined>,
  open: () => WorktreeServices,
  cancel: AbortSignal | undefined,
): Promise<{ readonly made: Made; readonly shared: WorktreeServices }> {
  let shared: WorktreeServices | undefined;
  const meanwhile = async () => {
    shared = open();
    await shared.checkpoints.open();
  };
  try {
    const made = await make({ cancel, meanwhile });
    if (made && shared) return { made, shared };
    throw new UsageError('It was interrupted before the session began.');
  } catch (error) {
    shared?.close();
    throw error;
  }
}

/** A base that was named is the commit it names now, however long the session waits. */
async function fixedBase(
  repo: Repository,
  id: string,
  unmade: Unmade,
  named: string | undefined,
): Promise<Unmade> {
  if (named === undefined) return unmade;
  const { commit } = await resolveStart(repo, named, `loopwright/${id}`);
  return { ...unmade, base: commit, baseName: named };
}

/** Nobody stands in the way of a session without a plan. */
async function hasFreeWay(
  { project, services }: OpenProject,
  repo: Repository,
  id: string,
  turn: TurnOptions,
): Promise<boolean> {
  if (turn.plan.length === 0) return true;
  const store = openStore(project.folder);
  try {
    return await standInLine(store.plans, services.sessions, id, {
      ...turn,
      isBeingMade: (session) => ownerOf(repo, session)?.alive === true,
    });
  } finally {
    store.close();
  }
}

/** The project's own files: nothing is made, nothing is kept. */
export async function inPlace(dir: string, note: string): Promise<SessionWorkspace> {
  const services = { tree: await filesInPlace(dir) };
  return { services, payload: [], notes: [note], undo: () => Promise.resolve(), close: () => undefined };
}

export async function isRepository(dir: string): Promise<boolean> {
  const { code } = await new BoundGit(dir).try(['rev-parse', '--git-dir']);
  return code === 0;
}

/** Where a stored session works: its worktree, which is made again when its folder is gone, or the project. */
export async function filesOfSession(
  opened: OpenProject,
  state: SessionState,
  options: { noWait: boolean },
): Promise<Pick<SessionWorkspace, 'services' | 'close' | 'notes'>> {
  const { worktree, files, id } = state;
  if (files !== null) forgetUnmade(opened.project, id);
  const unmade = files === null ? readUnmade(opened.project, id) : undefined;
  if (unmade) {
    const repo = await openRepository(opened.project.dir);
    const path = join(managerOf(repo, opened).root, id);
    return { ...worktreeServices(opened, repo, { id, path }, { plan: [], ...options, unmade }), notes: [] };
  }
  if (worktree === undefined || files === null) {
    const services = worktree === undefined ? {} : { worktreePath: worktree };
    return { services, notes: [], close: () => undefined };
  }
  const repo = await openRepository(opened.project.dir);
  const { path, notes } = await bringBack(opened, repo, { id, files });
  return { ...worktreeServices(opened, repo, { id, path }, { plan: [], ...options }), notes };
}

function branchOf({ head }: Repository): string | undefined {
  return head.kind === 'branch' ? head.branch : undefined;
}

function worktreeNotes(created: CreatedWorktree, projectDir: string): string[] {
  const { dirty, submodules, branch } = created;
  const notes = [`works in its own worktree, on branch ${branch}`];
  if (dirty.included && dirty.changes.length > 0)
    notes.push(`${count(dirty.changes.length, 'uncommitted file')} of ${projectDir} copied in`);
  if (submodules.length > 0) notes.push(`submodules are left alone: ${submodules.join(', ')}`);
  return notes;
}
