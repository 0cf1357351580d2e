import { execFile } from 'node:child_process';
import { UsageError } from '../../kernel/errors.ts';
import type { Environment } from '../../process/child-env.ts';

const PATIENCE_MS = 10_000;

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
    execFile('gh', args, { env: { ...env }, timeout: PATIENCE_MS }, (error, stdout) => {
      // Not installed and not signed in are the same to us: no token.
      resolve(error ? undefined : stdout);
    });
  });
}

/** Lets git present the token to the host of an address, without naming it on a command line. */
export function tokenForGit(url: string, token: string, env: Environment): { [name: string]: string } {
  const origin = /^(https?:\/\/)([^/@]+)\//.exec(url);
  if (!origin) return {};
  const n = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: String(n + 1),
    [`GIT_CONFIG_KEY_${n}`]: `http.${origin[1]}${origin[2]}/.extraheader`,
    [`GIT_CONFIG_VALUE_${n}`]: `Authorization: Basic ${basic}`,
  };
}
