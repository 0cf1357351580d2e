import { execFile } from 'node:child_process';
import { mayHaveToken } from '../../config/user/token-hosts.ts';
import { DeniedError, UsageError } from '../../kernel/errors.ts';
import type { Environment } from '../../process/child-env.ts';
import { environmentFor } from '../../process/environment.ts';
import { withoutPassword } from '../../workspace/remote/repository-url.ts';

const PATIENCE_MS = 10_000;
/** Where it keeps its login. */
const GH = ['GH_CONFIG_DIR', 'GH_HOST'];

/** GITHUB_TOKEN, else GH_TOKEN, else what `gh` is signed in with. */
export async function findToken(env: Environment, host: string): Promise<string> {
  const set = [env['GITHUB_TOKEN'], env['GH_TOKEN']].find((token) => (token ?? '').trim() !== '');
  const token = set ?? (await askGh(env, host));
  if (token !== undefined && token.trim() !== '') return token.trim();
  throw new UsageError('There is no token for GitHub.', {
    next: 'Set GITHUB_TOKEN or GH_TOKEN, or sign in with `gh auth login`.',
  });
}

function askGh(env: Environment, host: string): Promise<string | undefined> {
  const args = ['auth', 'token', ...(host === 'local' ? [] : ['--hostname', host])];
  return new Promise((resolve) => {
    execFile(
      'gh',
      args,
      { env: { ...environmentFor('remote', env, GH) }, timeout: PATIENCE_MS },
      (error, stdout) => {
        // Not installed and not signed in are the same to us: no token.
        resolve(error ? undefined : stdout);
      },
    );
  });
}

/**
 * Lets git present the token to the host of an address, without naming it on a command line; nothing where the person
 * does not let that host have it.
 */
export function tokenForGit(
  url: string,
  token: string,
  { env, hosts }: { readonly env: Environment; readonly hosts: readonly string[] },
): { [name: string]: string } {
  if (!mayHaveToken(url, hosts)) return {};
  const n = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: String(n + 1),
    [`GIT_CONFIG_KEY_${n}`]: `http.${new URL(url).origin}/.extraheader`,
    [`GIT_CONFIG_VALUE_${n}`]: `Authorization: Basic ${basic}`,
  };
}

/** That an address over the network gets no token, in words; undefined where it gets one or needs none. */
export function withheldFrom(url: string, { hosts, file }: TokenRule): string | undefined {
  if (!/^https?:/i.test(url) || mayHaveToken(url, hosts)) return undefined;
  const why = /^http:/i.test(url) ? 'a token is sent over https only' : 'it is not among the hosts you allow';
  return `${placeOf(url)} gets no token: ${why} (tokenHosts in ${file}).`;
}

/** Which hosts the person lets have a token, and the file that says so. */
export interface TokenRule {
  readonly hosts: readonly string[];
  readonly file: string;
}

/** Refuses to ask an API that may not have the token: what it is asked for needs one. */
export function refuseWithheld(api: string, rule: TokenRule): void {
  const withheld = withheldFrom(api, rule);
  if (withheld === undefined) return;
  throw new DeniedError(`${withheld} GitHub cannot be asked there.`, {
    next: `Check GITHUB_API_URL (repository.api). If the host is one of yours, add it to tokenHosts in ${rule.file}.`,
  });
}

function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : withoutPassword(url);
}
