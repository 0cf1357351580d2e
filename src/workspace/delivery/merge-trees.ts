import { type BoundGit, explained } from '../git/bound-git.ts';
import { Refusal } from './refusal.ts';

export type Merged =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflicts'; readonly files: readonly string[] };

/** Merges two commits into a tree without any checkout. */
export async function mergeTrees(git: BoundGit, ours: string, theirs: string): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
  const outcome = await git.try(args);
  const [tree = '', ...files] = outcome.stdout.split('\0').filter((field) => field !== '');
  if (outcome.code === 0) return { kind: 'clean', tree };
  if (outcome.code === 1) return { kind: 'conflicts', files };
  if (/unknown option|usage: git merge-tree/i.test(outcome.stderr)) {
    const version = await git.out(['--version']);
    throw new Refusal(
      'git-too-old',
      `${version} cannot merge without a checkout.`,
      'Install git 2.38 or newer, or merge the branch by hand.',
    );
  }
  if (/unrelated histories/i.test(outcome.stderr)) {
    throw new Refusal(
      'unrelated',
      'The base branch and the work have no commit in common: one of them was replaced.',
      'Look at both with `git log`, and move the base branch back if nobody meant to replace it.',
    );
  }
  throw await explained(git.cwd, args, outcome);
}
