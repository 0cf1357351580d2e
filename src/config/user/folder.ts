import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../terminal.ts';

/** Where a person keeps what no project may decide: `$XDG_CONFIG_HOME/loopwright`. */
export function userFolder(env: Environment): string {
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  // The standard says that a relative path is to be ignored; here it would name a folder of the repository.
  const home = isAbsolute(configured) ? configured : join(homeOf(env), '.config');
  return join(home, 'loopwright');
}

export function homeOf(env: Environment): string {
  const home = env['HOME'] ?? '';
  return isAbsolute(home) ? home : homedir();
}
