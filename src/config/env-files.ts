import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Larger files are no settings. */
const LARGEST = 256 * 1024;
const SHORTEST_SECRET = 8;
/** Names whose values are in every log and no secret. */
const ORDINARY =
  /^(?:NODE_ENV|ENV|ENVIRONMENT|PORT|HOST|HOSTNAME|DEBUG|LOG_LEVEL|TZ|LANG|LC_\w+|APP_NAME|APP_ENV|\w*_(?:PORT|HOST|REGION|LEVEL|MODE|ENABLED|TIMEOUT|PATH|DIR|NAME|VERSION|LOCALE|EMAIL))$/i;
/** Words, numbers, addresses without a password and paths are no secrets either. */
const PLAIN = /^(?:[a-z]+(?:[-_.][a-z]+)*|[\d.,:]+|true|false|https?:\/\/[^@\s]*|\.{0,2}\/[\w./-]*)$/i;

/** The values in `.env*` files of a project that look like secrets; examples that are checked in hold none. */
export function envFileSecrets(projectDir: string): string[] {
  return [...new Set(envFiles(projectDir).flatMap((file) => secretsIn(textOf(file))))];
}

function envFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => /^\.env(?:\.|$)/.test(name) && !/\.(?:example|sample|template|dist)$/.test(name))
      .map((name) => join(dir, name));
  } catch {
    // A folder that cannot be listed is reported where it is worked in.
    return [];
  }
}

function textOf(file: string): string {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= LARGEST ? readFileSync(file, 'utf8') : '';
  } catch {
    // Gone or not ours to read: then nobody here can print it either.
    return '';
  }
}

function secretsIn(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name = '', written = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const value = /^(["'])(.*)\1$/.exec(written)?.[2] ?? written.replace(/\s+#.*$/, '');
    return value.length < SHORTEST_SECRET || ORDINARY.test(name) || PLAIN.test(value) ? [] : [value];
  });
}
