import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The settings and decisions of a person who runs the tests are none of a test's business, and a test must not change
 * them: all of them run with an empty user folder of their own. What a test makes, it trusts; what trust means has
 * tests of its own.
 */
export function useOwnUserFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'loopwright-user-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env['XDG_CONFIG_HOME'] = folder;
  // Sockets as well: what a killed process leaves behind goes with the folder.
  process.env['XDG_RUNTIME_DIR'] = join(folder, 'run');
  mkdirSync(join(folder, 'run'), { mode: 0o700 });
  process.env['LOOPWRIGHT_TRUST'] = '1';
}

/** Writes what a person decides for all projects; gives the variable that makes it count. */
export function userSettings(folder: string, settings: object): { readonly XDG_CONFIG_HOME: string } {
  const own = join(folder, 'loopwright');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  return { XDG_CONFIG_HOME: folder };
}
