import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { namesIn } from '../../process/if-there.ts';
import { BoundGit } from './bound-git.ts';

/** By what a repository makes git run programs: settings with their values, hooks with a hash of each. */
export type Watched = { readonly [name: string]: string };

/** Settings that name a program or lead to other settings; the rest may change while a task is at work. */
const RUNS_PROGRAMS =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|editor|askpass|gitproxy|attributesfile)|filter\.|include|credential\.|url\.|(?:diff|merge|gpg|remote)\..*(?:command|textconv|driver|program|pack|proxy)$)/;

const HOOKS = 'hooks/';
/** The hash of the whole file, which changes for harmless reasons too. */
const CONFIG = 'config';

/**
 * Worktrees share these with the user's checkout: what an agent writes here would run in the user's name. With an
 * earlier look git is only asked when the file of settings is another one.
 */
export async function watchRepository(commonDir: string, earlier: Watched = {}): Promise<Watched> {
  const hash = await hashOf(join(commonDir, 'config'));
  const settings = earlier[CONFIG] === hash ? settingsIn(earlier) : await askSettings(commonDir);
  const folder = join(commonDir, 'hooks');
  const names = (await namesIn(folder)).filter((name) => !name.endsWith('.sample'));
  const hooks = await Promise.all(
    names.map(async (name): Promise<[string, string]> => [HOOKS + name, await hashOf(join(folder, name))]),
  );
  return Object.fromEntries([[CONFIG, hash], ...settings, ...hooks]);
}

/** What is not as it was. */
export function changedSince(before: Watched, now: Watched): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => name !== CONFIG && before[name] !== now[name]).sort();
}

function settingsIn(watched: Watched): [string, string][] {
  return Object.entries(watched).filter(([name]) => name !== CONFIG && !name.startsWith(HOOKS));
}

async function askSettings(commonDir: string): Promise<[string, string][]> {
  const args = ['--git-dir', commonDir, 'config', '--local', '--list', '-z'];
  const { stdout } = await new BoundGit(commonDir).try(args);
  return stdout.split('\0').flatMap((entry): [string, string][] => {
    const [name = '', ...value] = entry.split('\n');
    return RUNS_PROGRAMS.test(name) ? [[name, value.join('\n')]] : [];
  });
}

async function hashOf(file: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return 'unreadable';
  }
}
