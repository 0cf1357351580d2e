import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../kernel/json.ts';

/** The script that a command of a package manager runs; undefined for any other command. */
export function scriptNamed(argv: readonly string[]): string | undefined {
  const [manager = '', verb = '', name = ''] = argv;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager)) return undefined;
  if (verb === 'run' || verb === 'run-script') return name === '' ? undefined : name;
  if (verb === 'test' || verb === 't') return manager === 'bun' ? undefined : 'test';
  return manager === 'pnpm' || manager === 'yarn' ? verb || undefined : undefined;
}

/** The scripts of the package in a folder. */
export function scriptsIn(folder: string): ReadonlyMap<string, string> {
  try {
    const document: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const scripts = isJsonObject(document) && isJsonObject(document.scripts) ? document.scripts : {};
    return new Map(
      Object.entries(scripts).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
    );
  } catch {
    // Without a package there is no script, and the command itself says so.
    return new Map();
  }
}
