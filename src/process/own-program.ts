import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const known = new Map<string, string>();

/**
 * A program of this package that runs as a process of its own: as compiled, seen from the library and from the
 * bundled command, or as the tests of the sources prepare it in `.cache`.
 */
export function ownProgram(compiled: string): string {
  const found = known.get(compiled) ?? search(compiled);
  known.set(compiled, found);
  return found;
}

function search(compiled: string): string {
  const cached = `.cache/${compiled.replace(/^.*\//, '').replace(/\.js$/, '.mjs')}`;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = [compiled, cached].map((place) => join(folder, place)).find((path) => existsSync(path));
    if (file !== undefined) return file;
    if (dirname(folder) === folder)
      throw new Error('The files of the loopwright package are incomplete; install it again.');
  }
}
