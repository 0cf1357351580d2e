import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Artifact } from '../../backlog/release.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { PrepareOptions } from '../prepare/prepared.ts';
import { GitHubError } from './errors.ts';
import { type GitHubRepository, openGitHub } from './repository.ts';

const shape = z.object({
  number: z.int(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  merged: z.boolean().optional(),
});

export interface PullRequest {
  readonly number: number;
  readonly url: string;
}

export interface PullRequestText {
  /** The branch that is asked to be pulled, and the one it is for. */
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

const TRIES = 3;
const LONGEST_BODY = 60_000;

/**
 * The open pull request of a branch: the one that is there, brought up to date, or a new one. `no-commits`:
 * GitHub sees nothing that the branch would bring.
 */
export async function openPullRequest(
  hub: GitHubRepository,
  text: PullRequestText,
  pauseMs = 1000,
): Promise<PullRequest | 'no-commits'> {
  const body = text.body.slice(0, LONGEST_BODY);
  for (let attempt = 1; ; attempt++) {
    const found = await findOpen(hub, text.head);
    if (found) return update(hub, found, { ...text, body });
    try {
      const made = await hub.ask('opening the pull request', 'POST /repos/{owner}/{repo}/pulls', {
        ...text,
        body,
      });
      return nameOf(shape.parse(made));
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (error.problem === 'invalid' && /no commits between/i.test(error.message)) return 'no-commits';
      // It may have been made all the same, by this call or by somebody: the next look finds it.
      const again = error.problem === 'unavailable' || /already exists/i.test(error.message);
      if (!again || attempt === TRIES) throw error;
      await sleep(pauseMs);
    }
  }
}

async function findOpen(hub: GitHubRepository, head: string) {
  const list = await hub.ask('looking for the pull request', 'GET /repos/{owner}/{repo}/pulls', {
    head: `${hub.owner}:${head}`,
    state: 'open',
  });
  return z.array(shape).parse(list)[0];
}

async function update(
  hub: GitHubRepository,
  found: z.infer<typeof shape>,
  { title, body }: PullRequestText,
): Promise<PullRequest> {
  if (found.title !== title || found.body !== body) {
    const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
    await hub.ask('updating the pull request', route, { pull_number: found.number, title, body });
  }
  return nameOf(found);
}

export type MergeMethod = 'merge' | 'squash' | 'rebase';

export interface MergeOptions {
  readonly method?: MergeMethod;
  readonly commit?: string;
  /** What the commit says below its title; GitHub's own words when left out. */
  readonly message?: string;
}

/** Merges a pull request. One that is merged already is left alone; with `commit` only while that is its head. */
export async function mergePullRequest(
  hub: GitHubRepository,
  number: number,
  { method = 'squash', commit, message }: MergeOptions = {},
): Promise<'merged' | 'already-merged'> {
  const at = { pull_number: number };
  const route = '/repos/{owner}/{repo}/pulls/{pull_number}';
  const now = shape.parse(await hub.ask('looking at the pull request', `GET ${route}`, at));
  if (now.merged === true) return 'already-merged';
  const sha = commit === undefined ? {} : { sha: commit };
  const words = message === undefined ? {} : { commit_message: message };
  const how = { ...at, merge_method: method, ...sha, ...words };
  await hub.ask('merging the pull request', `PUT ${route}/merge`, how);
  return 'merged';
}

function nameOf({ number, html_url: url }: z.infer<typeof shape>): PullRequest {
  return { number, url };
}

/** Merges the pull request that a task has recorded; one that is merged already is left alone. */
export async function mergeDelivered(
  options: Pick<PrepareOptions, 'config' | 'repository' | 'retryMs'>,
  { ref, data }: Artifact,
  merge: Omit<MergeOptions, 'method'> = {},
): Promise<'merged' | 'already-merged'> {
  const number = data?.['number'];
  if (typeof number !== 'number') {
    throw new UsageError(`${ref} was recorded without its number.`, { next: 'Merge it on GitHub.' });
  }
  return mergePullRequest(await openGitHub(options), number, merge);
}
