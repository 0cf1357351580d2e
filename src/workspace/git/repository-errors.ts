import { ConflictError, LoopwrightError, UsageError } from '../../kernel/errors.ts';

/** Why git sees no repository in a folder, with the way out for each case. */
export function noRepository(dir: string, stderr: string): LoopwrightError {
  const moved = /not a git repository: (?:\(null\)|(.+?)\s*$)/m.exec(stderr);
  if (moved) return repositoryMoved(dir, moved[1]);
  if (/dubious ownership/.test(stderr)) {
    return new LoopwrightError(`git refuses to work in ${dir}: it belongs to another user.`, {
      next: `If you trust it: git config --global --add safe.directory "${dir}"`,
    });
  }
  if (/not a git repository/.test(stderr)) {
    return new UsageError(`${dir} is not in a git repository.`, {
      next: 'Make one with: git init && git add -A && git commit -m "start". Or let the run work in place, without a worktree.',
    });
  }
  return notReadable(dir, stderr);
}

export function noCommits({ dir }: { readonly dir: string }): UsageError {
  return new ConflictError(`${dir} has no commits yet, so there is nothing a worktree could start from.`, {
    next: 'Make the first commit: git commit --allow-empty -m "start"',
  });
}

export function notReadable(dir: string, stderr: string): LoopwrightError {
  return new LoopwrightError(`The git repository of ${dir} cannot be read: ${stderr.trim()}`, {
    next: `Look at it with: git -C "${dir}" status`,
  });
}

/** A worktree names its repository by an absolute path; after a move that path leads nowhere. */
function repositoryMoved(dir: string, gitDir: string | undefined): LoopwrightError {
  const was =
    gitDir === undefined ? 'where it was' : `at ${gitDir.replace(/(?:\/\.git)?\/worktrees\/.*$/, '')}`;
  return new LoopwrightError(`${dir} is a worktree whose repository is no longer ${was}.`, {
    next: `From the repository's new place run: git worktree repair "${dir}"`,
  });
}
