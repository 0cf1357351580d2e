import { basename, dirname, join, resolve } from 'node:path';
import type { Claim } from '../../../backlog/scheduler.ts';
import { NotFoundError } from '../../../kernel/errors.ts';
import { asMaterial, asSubject } from '../../../workspace/delivery/message.ts';
import { BoundGit } from '../../../workspace/git/bound-git.ts';
import { fetchBranch, openClone, settingOf } from '../../../workspace/remote/cached-clone.ts';
import { pushBranch } from '../../../workspace/remote/push-branch.ts';
import type { RemoteGit } from '../../../workspace/remote/remote-git.ts';
import { readRepositoryUrl } from '../../../workspace/remote/repository-url.ts';
import { openPullRequest, type PullRequest } from '../../github/pull-request.ts';
import { type GitHubRepository, openGitHub } from '../../github/repository.ts';
import { tokenForGit, withheldFrom } from '../../github/token.ts';
import type { Delivered, DeliveryRequest, Prepare, PrepareOptions } from '../prepared.ts';
import { type Committed, commitTask, sizeOf } from './deliver-commit.ts';
import { onGit } from './local-git.ts';
import { type Place, USUAL_BASE } from './place.ts';
import { openTaskWorktree } from './task-worktree.ts';

/** Works in a worktree of a clone of REPO_URL; the result is pushed and becomes a pull request. */
export function github(options: PrepareOptions): Prepare {
  return async (claim, cancel) => {
    const hub = await openGitHub(options);
    const remote = remoteOf(options, hub);
    const place = await remotePlace(options, remote);
    const tree = await openTaskWorktree(place, options, claim, cancel);
    const deliver = async (request: DeliveryRequest): Promise<Delivered> => {
      const committed = await commitTask(tree, options, claim, request);
      const { change } = committed;
      if (change.files.length === 0) return withoutReview(committed, 'Nothing was changed.');
      options.onStep?.('pushing');
      await pushBranch(remote, change);
      options.onStep?.('opening');
      const text = { head: change.branch, base: place.baseName, ...pullRequestText(claim, request) };
      const opened = await openPullRequest(hub, text, options.retryMs?.[0]);
      options.onStep?.('opened');
      if (opened === 'no-commits') {
        return withoutReview(committed, `${place.baseName} has everything of it already.`);
      }
      return delivered(committed, opened);
    };
    return { ...onGit(tree, options, claim, 'github'), deliver };
  };
}

/**
 * What the remote has of a base now, fetched into the clone that tasks work in, together with the branch that is to
 * be merged into it.
 */
export async function fetchRequest(
  options: PrepareOptions,
  { base, branch, commit }: { readonly base: string; readonly branch: string; readonly commit: string },
): Promise<{ readonly dir: string; readonly baseCommit: string }> {
  const remote = remoteOf(options, await openGitHub(options));
  const { url } = options.repository;
  const { repo, ref } = await openClone({ ...remote, url, base, orDefault: false, settings: {} });
  const git = new BoundGit(repo.dir);
  const known = await git.try(['cat-file', '-e', `${commit}^{commit}`]);
  if (known.code !== 0 && !(await fetchBranch(remote, branch)))
    throw new NotFoundError(
      `The remote has no branch "${branch}" any more, and nothing here holds its work.`,
      {
        next: 'Look at the pull request on GitHub, and approve the task without merging.',
      },
    );
  return { dir: repo.dir, baseCommit: await git.out(['rev-parse', `${ref}^{commit}`]) };
}

/** Where the clone of REPO_URL is kept. */
export function cloneFolder({ config, repository }: PrepareOptions): string {
  const { host, owner, name } = readRepositoryUrl(repository.url);
  return join(cloneHome(config, repository.workspace), `${host}-${owner}-${name}`);
}

/** The folder of all clones of a project; `workspace` is what is configured for it. */
export function cloneHome({ stateDir, projectDir }: PrepareOptions['config'], workspace: string): string {
  return workspace === '' ? join(stateDir, 'repositories') : resolve(projectDir, workspace);
}

function remoteOf(options: PrepareOptions, { token }: GitHubRepository): RemoteGit {
  const { config, repository, retryMs } = options;
  const env = tokenForGit(repository.url, token, { env: config.childEnv, hosts: config.user.tokenHosts });
  return { cwd: cloneFolder(options), env, retryMs };
}

async function remotePlace({ config, repository }: PrepareOptions, remote: RemoteGit): Promise<Place> {
  const { url, base: wanted } = repository;
  const identity = await Promise.all(
    ['user.name', 'user.email'].map(
      async (name) => [name, await settingOf(config.projectDir, name)] as const,
    ),
  );
  const settings = Object.fromEntries(identity.filter(([, value]) => value !== undefined)) as {
    [name: string]: string;
  };
  const orDefault = wanted === USUAL_BASE;
  const { repo, base, ref } = await openClone({ ...remote, url, base: wanted, orDefault, settings });
  const withheld = withheldFrom(url, { hosts: config.user.tokenHosts, file: config.user.file });
  const notes = [
    ...(base === wanted ? [] : [`the remote has no branch ${wanted}; the task begins from ${base}`]),
    ...(withheld === undefined ? [] : [withheld]),
  ];
  return {
    repo,
    base: ref,
    baseName: base,
    from: config.projectDir,
    worktrees: config.worktrees.root ?? join(dirname(remote.cwd), 'worktrees', basename(remote.cwd)),
    notes,
  };
}

function delivered({ change, artifacts, notes }: Committed, { number, url }: PullRequest): Delivered {
  return {
    artifacts: [...artifacts, { type: 'pr', ref: url, data: { number, head: change.branch } }],
    review: true,
    summary: `${sizeOf(change)}: ${url}`,
    ...(notes.length === 0 ? {} : { data: { notes } }),
  };
}

function withoutReview({ artifacts, notes }: Committed, why: string): Delivered {
  const more = notes.length === 0 ? {} : { data: { notes } };
  return { artifacts, review: false, summary: `${why} There is nothing to review.`, ...more };
}

function pullRequestText({ task }: Claim, { title, goal, evidence, cost }: DeliveryRequest) {
  const sections = [asMaterial(goal), section('Evidence', evidence), section('Cost', cost)];
  const mark = `<!-- loopwright task ${task.id} -->`;
  return {
    title: asSubject(title),
    body: [...sections.filter((text) => text !== ''), mark].join('\n\n'),
  };
}

function section(heading: string, text: string): string {
  return text.trim() === '' ? '' : `### ${heading}\n\n${text.trim()}`;
}
