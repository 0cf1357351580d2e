import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { BoundGit } from './bound-git.ts';
import type { Repository } from './repository.ts';
import { noCommits } from './repository-errors.ts';

export interface Start {
  readonly commit: string;
  /** The checkout's own commit at this moment. */
  readonly head: string | undefined;
  /** Whether a branch of the asked name exists, and its commit. */
  readonly branchAt: string | undefined;
}

/** The commit that a base names and whether a branch is free, in one call of git. */
export async function resolveStart(
  repo: Repository,
  base: string | undefined,
  branch: string,
): Promise<Start> {
  const wanted = base ?? 'HEAD';
  refuseOddName(wanted);
  const input = `${wanted}^{commit}\nHEAD^{commit}\nrefs/heads/${branch}\n`;
  const answer = await new BoundGit(repo.dir).out(['cat-file', '--batch-check=%(objectname)'], { input });
  const lines = answer.split('\n').map((line) => (/^[0-9a-f]{40,}$/.test(line) ? line : undefined));
  const [commit, head, branchAt] = lines;
  if (commit === undefined) throw head === undefined ? noCommits(repo) : await unknownBase(repo, wanted);
  return { commit, head, branchAt };
}

/** Words of letters and digits with slashes between: every git takes them for the name of a branch. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/;

/** Throws unless git accepts the name for a branch. */
export async function checkBranchName(repo: Repository, branch: string): Promise<void> {
  if (PLAIN_NAME.test(branch)) return;
  const { code } = await new BoundGit(repo.dir).try(['check-ref-format', `refs/heads/${branch}`]);
  if (code === 0 && !branch.startsWith('-')) return;
  throw new UsageError(`"${branch}" cannot be the name of a branch.`, {
    next: 'See "git help check-ref-format".',
  });
}

function refuseOddName(base: string): void {
  if (base !== '' && !base.startsWith('-') && !/\p{Cc}/u.test(base)) return;
  throw new UsageError(`"${base}" is not the name of a branch or commit.`, { next: 'Check the base.' });
}

async function unknownBase(repo: Repository, base: string): Promise<UsageError> {
  const refs = await new BoundGit(repo.dir).out([
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ]);
  const names = refs.split('\n').filter((name) => name !== '');
  const remote = names.find((name) => name.endsWith(`/${base}`));
  const hint = remote === undefined ? didYouMean(base, names) : ` Did you mean "${remote}"?`;
  return new NotFoundError(`${repo.dir} has no branch, tag or commit "${base}".${hint}`, {
    next: `See what there is: git -C "${repo.dir}" branch --all`,
  });
}
