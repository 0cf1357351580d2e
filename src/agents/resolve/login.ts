import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../process/child-env.ts';
import type { AdapterDefinition } from '../definition/shape.ts';

/**
 * What can be told about being logged in without asking the provider. `unseen` is not a no: a CLI may keep its
 * login in a keychain.
 */
export type LoginState =
  | { readonly state: 'not-needed' }
  /** By a variable or a file, which is named. */
  | { readonly state: 'seen'; readonly by: string }
  | { readonly state: 'unseen'; readonly how: string };

export function loginState({ login }: AdapterDefinition['binary'], env: Environment): LoginState {
  if (!login) return { state: 'not-needed' };
  const variable = login.env.find((name) => (env[name] ?? '') !== '');
  if (variable !== undefined) return { state: 'seen', by: variable };
  const file = login.files.find((each) => {
    const path = expand(each, env);
    return path !== undefined && existsSync(path);
  });
  if (file !== undefined) return { state: 'seen', by: file };
  return { state: 'unseen', how: login.how ?? 'log in as its documentation says' };
}

/** `~/x` is in the home folder, `{NAME}/x` in the folder that a variable names. */
function expand(path: string, env: Environment): string | undefined {
  if (path.startsWith('~/')) return join(env['HOME'] ?? homedir(), path.slice(2));
  const named = /^\{(\w+)\}(.*)$/.exec(path);
  if (!named) return path;
  const folder = env[named[1] ?? ''];
  return folder === undefined || folder === '' ? undefined : join(folder, named[2] ?? '');
}
