import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { action } from '../../kernel/action.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import { headCommit } from '../checkpoints/commit.ts';
import { BoundGit } from '../git/bound-git.ts';
import type { Repository } from '../git/repository.ts';
import { adminEntryOf, gitDirNamedIn } from './admin-entry.ts';
import { isPresent } from './home.ts';
import type { WorktreeRecord } from './record.ts';

/**
 * Puts right what an agent did to the git side of its worktree: its link to the repository and the branch it
 * is on. Files stay exactly as they are, so what was verified is what is delivered; commits stay too. Gives
 * what was found, in words; throws when nothing can be done about it.
 */
export async function healWorktree(
  repo: Repository,
  record: WorktreeRecord,
  { aside }: { readonly aside: string },
): Promise<string[]> {
  const { adminDir, branch, notes } = await healLink(repo, record, aside);
  const git = new BoundGit(record.path);
  if (['rebase-merge', 'rebase-apply'].some((name) => existsSync(join(adminDir, name)))) {
    await git.run(['rebase', '--quit']);
    notes.push('a rebase was left in the middle; it was ended and the files are as it left them');
  }
  return [...notes, ...(await healBranch(git, record, branch))];
}

/** The `.git` file of the worktree must lead to git's own entry for it. */
async function healLink(
  repo: Repository,
  { path, id }: WorktreeRecord,
  aside: string,
): Promise<{ adminDir: string; branch: string | undefined; notes: string[] }> {
  const entry = await adminEntryOf(repo.commonDir, path);
  const adminDir = entry?.dir ?? join(repo.commonDir, 'worktrees', basename(path));
  if (!existsSync(join(adminDir, 'HEAD'))) {
    throw new LoopwrightError(`git's own entry for the worktree ${path} is gone or broken.`, {
      next: {
        ...action('worktree.gc', `Save what you need from ${path}, then remove it`, { force: true }),
        danger: true,
      },
    });
  }
  const notes: string[] = [];
  const link = join(path, '.git');
  if ((await gitDirNamedIn(path)) !== adminDir) {
    if (await isPresent(link)) {
      const kept = join(aside, `dot-git-of-${id}-${Date.now()}`);
      await mkdir(aside, { recursive: true });
      await rename(link, kept);
      notes.push(`the .git of the worktree had been replaced; what was there is now ${kept}`);
    } else notes.push('the .git file of the worktree was gone and was written again');
    await writeFile(link, `gitdir: ${adminDir}\n`);
  }
  if (!entry) {
    await new BoundGit(repo.dir).run(['worktree', 'repair', path]);
    notes.push("git's entry led elsewhere and was repaired");
  }
  const { branch } = entry ?? (await adminEntryOf(repo.commonDir, path)) ?? {};
  return { adminDir, branch, notes };
}

async function healBranch(
  git: BoundGit,
  { id, branch, baseCommit }: WorktreeRecord,
  at: string | undefined,
): Promise<string[]> {
  const ref = `refs/heads/${branch}`;
  const here = await headCommit(git);
  if (at === branch) {
    if (here !== undefined) return [];
    await git.run(['update-ref', ref, baseCommit]);
    return [`the branch ${branch} was gone and begins at its base again`];
  }
  const ours = await git.try(['rev-parse', '-q', '--verify', `${ref}^{commit}`]);
  const was = ours.code === 0 ? ours.stdout.trim() : undefined;
  const notes = [`the worktree had been switched to ${at ?? 'a detached HEAD'}; it is on ${branch} again`];
  if (here !== undefined && (was === undefined || (await isAncestor(git, was, here)))) {
    await git.run(['update-ref', ref, here, ...(was === undefined ? [] : [was])]);
  } else if (was === undefined) await git.run(['update-ref', ref, baseCommit]);
  else if (here !== undefined && !(await isAncestor(git, here, was))) {
    const kept = `refs/loopwright/${id}/strayed-${here.slice(0, 12)}`;
    await git.run(['update-ref', kept, here]);
    notes.push(`commits that were made elsewhere are kept as ${kept}`);
  }
  await git.run(['symbolic-ref', 'HEAD', ref]);
  return notes;
}

async function isAncestor(git: BoundGit, older: string, newer: string): Promise<boolean> {
  return (await git.try(['merge-base', '--is-ancestor', older, newer])).code === 0;
}
