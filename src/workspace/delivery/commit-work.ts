import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { makeOwnGitFolder } from '../../process/own-git-folder.ts';
import { type OpenedWorktree, openWorktree } from '../checkpoints/open-worktree.ts';
import { type BoundGit, explained, type RunGit } from '../git/bound-git.ts';
import { changedPaths, splitZ } from '../git/tree-diff.ts';
import { findHook, hookRefusal } from './hooks.ts';
import { SESSION_TRAILER, STEP_TRAILER, withTrailers } from './message.ts';
import { orRefused, Refusal, type Refused } from './refusal.ts';

export interface CommitWorkOptions {
  readonly worktree: string;
  /** The session's own branch, which must be checked out there. */
  readonly branch: string;
  readonly session: string;
  readonly message: string;
  readonly step?: number;
  /** More lines that say what the commit belongs to. */
  readonly trailers?: { readonly [name: string]: string };
  /** Without the user's hooks, when they cannot be trusted. */
  readonly withoutHooks?: boolean;
  readonly exclude?: readonly string[];
  /** The tree that was verified: it is committed by this id, whatever the files are by now. */
  readonly tree?: string;
  readonly run?: RunGit;
}

export interface CommittedWork {
  /** `nothing-new`: the branch has everything already, also from an earlier call. */
  readonly kind: 'committed' | 'nothing-new';
  readonly commit: string;
  /** What the commit holds that the verified tree did not, or the other way round. */
  readonly notes: readonly string[];
}

const COMMIT_HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg'];

/**
 * Commits everything that a worktree holds, or the tree that is named, to the session's branch, as the user and
 * through the user's hooks. Files that setup copied in and repositories inside stay out.
 */
export function commitWork(
  options: CommitWorkOptions,
  worktree?: OpenedWorktree,
): Promise<CommittedWork | Refused> {
  return orRefused(async () => {
    const opened = worktree ?? (await openWorktree(options.worktree, options));
    return commitOpened(opened, options);
  });
}

/** Throws a `Refusal`, with the worktree as it was. */
export async function commitOpened(
  opened: OpenedWorktree,
  options: CommitWorkOptions,
): Promise<CommittedWork> {
  const { git, index } = opened;
  await checkReady(git, options.branch);
  const trailers = {
    [SESSION_TRAILER]: options.session,
    [STEP_TRAILER]: options.step,
    ...options.trailers,
  };
  const [tree, heads, message] = await Promise.all([
    options.tree ?? index.stage(),
    git.out(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}']),
    withTrailers(git, options.message, trailers),
  ]);
  const [head = '', headTree] = heads.split('\n');
  if (tree === headTree) return { kind: 'nothing-new', commit: head, notes: [] };
  await withIndexRestored(opened.gitDir, async () => {
    await index.writeReal(tree);
    // It brings the index up to the files before a hook looks at them.
    await commitIndex(git, message, { hooks: options.withoutHooks !== true });
  });
  const [commit = '', written = ''] = (await git.out(['rev-parse', 'HEAD', 'HEAD^{tree}'])).split('\n');
  const notes = written === tree ? [] : await changedByHooks(git, tree, written);
  return { kind: 'committed', commit, notes };
}

/** Whether everything in the worktree can be committed to the branch; throws a `Refusal` if not. */
export async function checkReady(git: BoundGit, branch: string): Promise<void> {
  const [{ stdout }, conflicts] = await Promise.all([
    git.try(['symbolic-ref', '-q', 'HEAD']),
    git.run(['ls-files', '-u', '-z']),
  ]);
  if (stdout.trim() !== `refs/heads/${branch}`) {
    const now = stdout.trim().replace('refs/heads/', '') || 'no branch';
    throw new Refusal(
      'wrong-branch',
      `${git.cwd} is on ${now}, not on the session's branch ${branch}.`,
      `Switch it back: git -C "${git.cwd}" switch ${branch}`,
    );
  }
  // One line for each side of a conflict: mode, object and side, then the path.
  const unmerged = [...new Set(splitZ(conflicts.stdout).map((line) => line.slice(line.indexOf('\t') + 1)))];
  if (unmerged.length === 0) return;
  throw new Refusal(
    'unmerged',
    `${git.cwd} is in the middle of a merge: ${unmerged.join(', ')}`,
    'Finish or abort the merge there, then try again.',
    { files: unmerged },
  );
}

async function commitIndex(
  git: BoundGit,
  message: string,
  { hooks }: { readonly hooks: boolean },
): Promise<void> {
  const args = ['commit', '-q', '-F', '-'];
  const outcome = await git.try(args, { input: message, hooks });
  if (outcome.code === 0) return;
  const error = await explained(git.cwd, args, outcome);
  if (error instanceof UsageError) throw new Refusal('no-identity', error.message, error.next ?? '');
  const hook = hooks && error.name === 'GitError' ? await findHook(git, COMMIT_HOOKS) : undefined;
  throw hook === undefined ? error : hookRefusal(hook, outcome.stdout + outcome.stderr);
}

async function withIndexRestored(gitDir: string, action: () => Promise<void>): Promise<void> {
  const index = join(gitDir, 'index');
  const copy = join(makeOwnGitFolder(gitDir), 'before-commit.index');
  await copyFile(index, copy).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  try {
    await action();
  } catch (error) {
    await rename(copy, index).catch((missing: unknown) => {
      if (errorCode(missing) !== 'ENOENT') throw missing;
    });
    throw error;
  }
  await rm(copy, { force: true });
}

/** Hooks are the user's and may correct what is committed; no check has seen what they made of it. */
async function changedByHooks(git: BoundGit, wanted: string, written: string): Promise<string[]> {
  const paths = await changedPaths(git, wanted, written);
  return [`hooks of the repository changed what is committed: ${paths.join(', ')}`];
}
