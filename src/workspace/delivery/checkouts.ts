import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { type BoundGit, explained } from '../git/bound-git.ts';
import { splitZ } from '../git/tree-diff.ts';
import { adoptFiles, arrivedFiles, onIndexCopy } from './arrived.ts';
import { Refusal } from './refusal.ts';

/** The checkout that has a branch checked out, if one has. */
export async function checkoutOf(git: BoundGit, branch: string): Promise<string | undefined> {
  const { stdout } = await git.run(['worktree', 'list', '--porcelain', '-z']);
  for (const entry of stdout.split('\0\0')) {
    const lines = entry.split('\0');
    if (!lines.includes(`branch refs/heads/${branch}`)) continue;
    const path = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
    // A folder that was deleted by hand has nothing that would have to follow.
    if (path !== undefined && (await exists(path))) return path;
  }
  return undefined;
}

/**
 * Throws a `Refusal` when a checkout on `from` cannot go to `to` without losing something of the user's.
 * Gives the files that have arrived already, by a delivery that was killed while the checkout followed.
 */
export async function checkFollows(git: BoundGit, from: string, to: string): Promise<readonly string[]> {
  if (!(await whyNotFollow(git, from, to))) return [];
  const refusal = await onIndexCopy(git, async (trial) => {
    // A file that was only written again with what it had is no change; git knows that once it has looked.
    await trial.try(['update-index', '-q', '--refresh']);
    return whyNotFollow(trial, from, to);
  });
  if (!refusal) return [];
  const arrived = await arrivedFiles(git, from, to);
  if (arrived.length === 0) throw refusal;
  const stillNot = await onIndexCopy(git, async (trial) => {
    await adoptFiles(trial, arrived);
    await trial.try(['update-index', '-q', '--refresh']);
    return whyNotFollow(trial, from, to);
  });
  if (stillNot) throw stillNot;
  return arrived;
}

async function whyNotFollow(git: BoundGit, from: string, to: string): Promise<Refusal | undefined> {
  const inTheWay = await untrackedInTheWay(git, from, to);
  if (inTheWay.length > 0) return dirty(git.cwd, inTheWay, 'not tracked and would be overwritten');
  const args = ['read-tree', '-n', '-m', '-u', from, to];
  const outcome = await git.try(args);
  if (outcome.code === 0) return undefined;
  const found = outcome.stderr.matchAll(/Entry '(.+?)' (?:not uptodate|would be overwritten)/g);
  const files = Array.from(found, (match) => match[1] ?? '');
  if (files.length === 0) throw await explained(git.cwd, args, outcome);
  return dirty(git.cwd, files, 'changed there and in the work');
}

/** Takes the checkout along to a commit ahead of it; git itself refuses whatever would lose a change. */
export async function fastForward(git: BoundGit, commit: string): Promise<void> {
  const careful = ['--no-autostash', '--no-overwrite-ignore', '--no-verify-signatures', '--no-stat', '-q'];
  const args = ['merge', '--ff-only', ...careful, commit];
  const outcome = await git.try(args, { hooks: true });
  if (outcome.code === 0) return;
  if (/Not possible to fast-forward|Diverging branches/i.test(outcome.stderr)) throw baseMoved();
  if (!/would be overwritten|Please commit your changes/i.test(outcome.stderr)) {
    throw await explained(git.cwd, args, outcome);
  }
  throw dirty(git.cwd, [], outcome.stderr.trim());
}

export function baseMoved(): Refusal {
  return new Refusal(
    'base-moved',
    'The base branch moved while the work was being delivered.',
    'Try again; nothing was changed.',
  );
}

/** Files of the user's, ignored ones too, where the delivery would create one. */
async function untrackedInTheWay(git: BoundGit, from: string, to: string): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--diff-filter=A', from, to];
  const added = splitZ((await git.run(args)).stdout);
  const there: string[] = [];
  for (const path of added) if (await exists(join(git.cwd, path))) there.push(path);
  if (there.length === 0) return [];
  const input = there.map((path) => `:(top,literal)${path}`);
  const { stdout } = await git.run(['ls-files', '-z', '--', ...input]);
  const tracked = new Set(splitZ(stdout));
  return there.filter((path) => !tracked.has(path));
}

function dirty(checkout: string, files: readonly string[], how: string): Refusal {
  const which = files.length === 0 ? how : `${files.join(', ')} (${how})`;
  return new Refusal(
    'dirty-checkout',
    `${checkout} has the base branch checked out with changes of its own: ${which}`,
    'Commit, stash or move them away, then try again. Nothing was changed.',
    { files },
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}
