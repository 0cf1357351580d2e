import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NotFoundError, UsageError } from '../../../kernel/errors.ts';
import { BoundGit } from '../../../workspace/git/bound-git.ts';
import { openRepository, type Repository } from '../../../workspace/git/repository.ts';
import { noCommits } from '../../../workspace/git/repository-errors.ts';
import type { PrepareOptions } from '../prepared.ts';

/** The repository that the worktrees of tasks are made from, and where they begin. */
export interface Place {
  readonly repo: Repository;
  /** What a new worktree starts from, as git understands it. */
  readonly base: string;
  /** The branch that the work is meant for. */
  readonly baseName: string;
  /** The folder whose files such as `.env` are brought along. */
  readonly from: string;
  /** Where the worktrees go; beside the repository's own state when left out. */
  readonly worktrees?: string | undefined;
  readonly notes: readonly string[];
}

/** What BASE_BRANCH is when nobody set it: only that one may give way to another branch. */
export const USUAL_BASE = 'main';

/** The repository of local-git mode: LOCAL_REPO_PATH, else the project. */
export async function localPlace({ config, repository }: PrepareOptions): Promise<Place> {
  const dir = repository.path === '' ? config.projectDir : resolve(config.projectDir, repository.path);
  const named = repository.path === '' ? 'The project' : 'LOCAL_REPO_PATH';
  if (!existsSync(dir)) {
    throw new UsageError(`${named} is ${dir}, which is not there.`, {
      next: 'Set LOCAL_REPO_PATH (repository.path in .loopwright/config.json) to the repository.',
    });
  }
  const repo = await openRepository(dir).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${named} is ${dir}, which is not a git repository to work in: ${error.message}`, {
      next: 'Make it one (git init, and a first commit), or set REPO_MODE=direct to work without git.',
      cause: error,
    });
  });
  if (repo.head.kind === 'unborn') throw noCommits(repo);
  const { base, notes } = await localBase(repo, repository.base);
  return { repo, base, baseName: base, from: repo.top ?? repo.dir, worktrees: config.worktrees.root, notes };
}

async function localBase(repo: Repository, wanted: string): Promise<{ base: string; notes: string[] }> {
  if (await hasBranch(repo, wanted)) return { base: wanted, notes: [] };
  if (wanted === USUAL_BASE && repo.head.kind === 'branch') {
    const { branch } = repo.head;
    return { base: branch, notes: [`there is no branch ${wanted}; the task begins from ${branch}`] };
  }
  throw new NotFoundError(`${repo.dir} has no branch "${wanted}" to begin from.`, {
    next: `Set BASE_BRANCH (repository.base) to one of: git -C "${repo.dir}" branch --list`,
  });
}

async function hasBranch({ dir, head }: Repository, name: string): Promise<boolean> {
  if (head.kind === 'branch' && head.branch === name) return true;
  const { code } = await new BoundGit(dir).try([
    'rev-parse',
    '-q',
    '--verify',
    `refs/heads/${name}^{commit}`,
  ]);
  return code === 0;
}
