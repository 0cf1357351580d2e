import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const ENDING = '.real.ts';

/** What can be chosen: each CLI, and what they do together. */
export function chosenFrom() {
  return readdirSync(here)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .sort();
}

/**
 * The arguments for vitest: a name becomes the one file that it stands for, since a bare word would also choose by the
 * folder that the clone lies in. What begins with a dash, and what follows it, is for vitest.
 */
export function vitestArgs(args, root) {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  const names = first < 0 ? args : args.slice(0, first);
  const unknown = names.filter((name) => !existsSync(join(here, `${name}${ENDING}`)));
  if (unknown.length > 0) {
    throw new Error(`There is no "${unknown.join('", "')}"; choose from ${chosenFrom().join(', ')}.`);
  }
  return [
    ...names.map((name) => relative(root, join(here, `${name}${ENDING}`))),
    ...args.slice(names.length),
  ];
}
