import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Where a folder lies in its repository, from its top, without asking git; empty at the top and outside of any. */
export function prefixIn(dir: string): string {
  for (let top = dir; ; top = dirname(top)) {
    if (existsSync(join(top, '.git'))) return relative(top, dir).split(sep).join('/');
    if (dirname(top) === top) return '';
  }
}
