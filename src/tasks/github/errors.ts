import { errorMessage, LoopwrightError } from '../../kernel/errors.ts';
import { RefusedRequest } from './request.ts';

export type GitHubProblem =
  | 'unauthorized'
  | 'forbidden'
  | 'rate-limited'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  | 'unavailable';

/** GitHub did not do what it was asked to. Nothing of it was done. */
export class GitHubError extends LoopwrightError {
  readonly problem: GitHubProblem;
  /** When it may be asked again, if it says so. */
  readonly resetAt: number | undefined;

  constructor(
    problem: GitHubProblem,
    message: string,
    options: { next: string; cause?: unknown; resetAt?: number | undefined },
  ) {
    super(message, options);
    this.problem = problem;
    this.resetAt = options.resetAt;
  }
}

const NEXT: { readonly [problem in GitHubProblem]: string } = {
  unauthorized: 'Set a valid GITHUB_TOKEN or GH_TOKEN, or sign in with `gh auth login`.',
  forbidden: 'Give the token the rights for contents, pull requests and issues of this repository.',
  'rate-limited': 'Wait until then; repeating the task continues from here.',
  'not-found': 'Check REPO_URL and GITHUB_API_URL, and whether the token may see the repository.',
  conflict: 'Look at the pull request, resolve what it says and try again.',
  invalid: 'Correct what it says and repeat the task.',
  unavailable: 'Try again later; what was pushed is kept, and repeating the task continues from here.',
};

/** Reads what a request threw: a refusal with its status and headers, or that nothing answered. */
export function gitHubError(error: unknown, doing: string, now: number): GitHubError {
  const refused = error instanceof RefusedRequest ? error : undefined;
  const status = refused?.status ?? 0;
  const resetAt = refused && (status === 403 || status === 429) ? resetOf(refused.headers, now) : undefined;
  const problem = problemOf(status, resetAt);
  const until = resetAt === undefined ? '' : ` until ${new Date(resetAt).toISOString()}`;
  const what = problem === 'rate-limited' ? `GitHub's rate limit is used up${until}` : 'GitHub refused';
  const how = problem === 'unavailable' ? 'GitHub cannot be reached' : what;
  const message = `${how} while ${doing}: ${errorMessage(error)}${status === 0 ? '' : ` (status ${status})`}`;
  return new GitHubError(problem, message, { next: NEXT[problem], cause: error, resetAt });
}

function problemOf(status: number, resetAt: number | undefined): GitHubProblem {
  if (status >= 500 || status === 0) return 'unavailable';
  if (resetAt !== undefined || status === 429) return 'rate-limited';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  return status === 405 || status === 409 ? 'conflict' : 'invalid';
}

/** A limit that is used up names the second it is renewed; a secondary one how long to wait. */
function resetOf(headers: Headers, now: number): number | undefined {
  const wait = headers.get('retry-after');
  if (wait !== null && Number.isFinite(Number(wait))) return now + Number(wait) * 1000;
  if (headers.get('x-ratelimit-remaining') !== '0') return undefined;
  const reset = headers.get('x-ratelimit-reset');
  return reset !== null && Number.isFinite(Number(reset)) ? Number(reset) * 1000 : undefined;
}
