import { setTimeout as sleep } from 'node:timers/promises';
import { readRepositoryUrl } from '../../workspace/remote/repository-url.ts';
import type { PrepareOptions } from '../prepare/prepared.ts';
import { GitHubError, gitHubError } from './errors.ts';
import { requestGitHub } from './request.ts';
import { findToken, refuseWithheld } from './token.ts';

/** A repository on GitHub, and the right to ask for things in it. */
export interface GitHubRepository {
  readonly owner: string;
  readonly name: string;
  readonly token: string;
  /**
   * Asks GitHub. What fails for want of connection is asked again, except what would be done twice then.
   * Throws a `GitHubError`.
   */
  ask(doing: string, route: string, parameters?: { readonly [name: string]: unknown }): Promise<unknown>;
}

const RETRY_MS = [1000, 3000, 9000];
const PATIENCE_MS = 30_000;

/** The repository that REPO_URL names, with the token that is found for it. */
export async function openGitHub(options: PrepareOptions): Promise<GitHubRepository> {
  const { config, repository, retryMs = RETRY_MS } = options;
  const { host, owner, name } = readRepositoryUrl(repository.url);
  const { tokenHosts: hosts, file } = config.user;
  const api = repository.api || 'https://api.github.com';
  refuseWithheld(api, { hosts, file });
  const token = await findToken(config.childEnv, host);
  const once = async (doing: string, route: string, parameters: { readonly [name: string]: unknown }) => {
    try {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      return await requestGitHub({ api, token }, route, { owner, repo: name, ...parameters }, patience);
    } catch (error) {
      throw gitHubError(error, doing, Date.now());
    }
  };
  return {
    owner,
    name,
    token,
    async ask(doing, route, parameters = {}) {
      const pauses = route.startsWith('POST ') ? [] : retryMs;
      for (const pause of pauses) {
        try {
          return await once(doing, route, parameters);
        } catch (error) {
          if (!(error instanceof GitHubError) || error.problem !== 'unavailable') throw error;
          await sleep(pause);
        }
      }
      return once(doing, route, parameters);
    },
  };
}
