import { UsageError } from '../../kernel/errors.ts';
import type { OpenedWorktree } from '../checkpoints/open-worktree.ts';
import { type BoundGit, explained } from '../git/bound-git.ts';
import { passHook, passMessageHook } from './hooks.ts';
import { SESSION_TRAILER, withTrailers } from './message.ts';
import { Refusal } from './refusal.ts';

export interface Delivery {
  readonly tree: string;
  readonly base: string;
  readonly work: string;
}

/**
 * Writes the commit that the base will move to, as the user, signed when the user signs. The work itself has
 * been through `pre-commit` where its files are; what is new here is the message.
 */
export async function writeDelivery(
  git: BoundGit,
  opened: OpenedWorktree | undefined,
  {
    mode,
    message,
    session,
    trailers = { [SESSION_TRAILER]: session },
  }: {
    readonly mode: 'squash' | 'merge';
    readonly message: string;
    readonly session: string;
    readonly trailers?: { readonly [name: string]: string };
  },
  { tree, base, work }: Delivery,
): Promise<string> {
  let text = await withTrailers(git, message, trailers);
  if (opened) {
    if (mode === 'merge') await passHook(opened.git, 'pre-merge-commit');
    text = await passMessageHook(opened.git, opened.gitDir, text);
  }
  const parents = mode === 'merge' ? ['-p', base, '-p', work] : ['-p', base];
  const sign = await git.try(['config', '--type=bool', '--get', 'commit.gpgSign']);
  const signed = sign.stdout.trim() === 'true' ? ['-S'] : [];
  const args = ['commit-tree', tree, ...parents, ...signed, '-F', '-'];
  const outcome = await git.try(args, { input: text });
  if (outcome.code === 0) return outcome.stdout.trim();
  const error = await explained(git.cwd, args, outcome);
  throw error instanceof UsageError ? new Refusal('no-identity', error.message, error.next ?? '') : error;
}
