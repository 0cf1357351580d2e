import { mkdir } from 'node:fs/promises';
import { NotFoundError } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import { type RemoteGit, remoteFailure, remoteGit, tryRemote } from './remote-git.ts';
import { withoutPassword } from './repository-url.ts';

export interface CachedClone {
  readonly repo: Repository;
  /** The branch of the remote that was fetched; another one than asked for where that may give way. */
  readonly base: string;
  /** Its commit as git knows it here. */
  readonly ref: string;
}

export interface OpenClone extends RemoteGit {
  readonly url: string;
  readonly base: string;
  /** When the remote has no such branch, its default one is taken. */
  readonly orDefault: boolean;
  /** Settings of the user that the clone shall have, such as who commits. */
  readonly settings: { readonly [name: string]: string };
}

/**
 * A repository without a checkout that holds what was fetched of a remote; made where there is none. Every part
 * can be repeated, so a kill in the middle of a clone costs only what was not fetched yet.
 */
export async function openClone(request: OpenClone): Promise<CachedClone> {
  const { cwd: dir, url } = request;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return withRepoLock(
    { commonDir: dir },
    async () => {
      const git = new BoundGit(dir);
      await git.run(['init', '-q', '--bare', dir]);
      const settings = {
        'remote.origin.url': url,
        'remote.origin.fetch': '+refs/heads/*:refs/remotes/origin/*',
        ...request.settings,
      };
      for (const [name, value] of Object.entries(settings)) await git.run(['config', name, value]);
      const base = await fetchBase(request);
      return { repo: await openRepository(dir), base, ref: trackingRef(base) };
    },
    { purpose: `fetching ${withoutPassword(url)}` },
  );
}

export function trackingRef(branch: string): string {
  return `refs/remotes/origin/${branch}`;
}

async function fetchBase(request: OpenClone): Promise<string> {
  const { base, url, orDefault } = request;
  if (await fetchBranch(request, base)) return base;
  const usual = orDefault ? await defaultBranch(request) : undefined;
  if (usual !== undefined && (await fetchBranch(request, usual))) return usual;
  throw new NotFoundError(`${withoutPassword(url)} has no branch "${base}" to begin from.`, {
    next: 'Set BASE_BRANCH (repository.base) to one that it has; an empty repository needs a first commit.',
  });
}

/** False when the remote has no such branch. */
export async function fetchBranch(remote: RemoteGit, branch: string): Promise<boolean> {
  const what = `+refs/heads/${branch}:${trackingRef(branch)}`;
  const args = ['fetch', '-q', '--no-tags', '--no-write-fetch-head', 'origin', what];
  const outcome = await tryRemote(remote, args);
  if (outcome.code === 0) return true;
  if (/couldn't find remote ref/i.test(outcome.stderr)) return false;
  throw remoteFailure(args, outcome);
}

async function defaultBranch(remote: RemoteGit): Promise<string | undefined> {
  const answer = await remoteGit(remote, ['ls-remote', '--symref', 'origin', 'HEAD']);
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(answer)?.[1];
}

/** The value that git would use in a folder; undefined when there is none. */
export async function settingOf(cwd: string, name: string): Promise<string | undefined> {
  const { code, stdout } = await new BoundGit(cwd).try(['config', '--get', name]);
  return code === 0 ? stdout.replace(/\n$/, '') : undefined;
}
