import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As compiled, seen from the library and from the bundled command; and as the tests of the sources prepare it. */
const PLACES = ['agents/runner/host/pty-host.js', '.cache/pty-host.mjs'];

let found: string | undefined;

/** The file of the program that hosts a terminal. */
export function hostProgram(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function search(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = PLACES.map((place) => join(folder, place)).find((path) => existsSync(path));
    if (file !== undefined) return file;
    if (dirname(folder) === folder)
      throw new Error('The files of the loopwright package are incomplete; install it again.');
  }
}
