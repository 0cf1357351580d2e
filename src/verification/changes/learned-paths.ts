import { closeSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import picomatch from 'picomatch';
import { readIfThere } from '../../process/if-there.ts';
import { openPlain } from '../../process/plain-file.ts';

const STATE_FOLDER = '.loopwright';
/** What a person lists, and what was learned. */
const LISTS = ['generated-paths.txt', 'generated-paths.auto.txt'];
const JSON_LIST = 'generated-paths.json';

/** Of the project and not of the tree a task works in: what one task learned holds for the next. */
export function learnedPathsFile(projectDir: string): string {
  return join(projectDir, STATE_FOLDER, 'generated-paths.auto.txt');
}

/** Whether a path is one that this project calls generated. */
export async function generatedHere(
  projectDir: string | undefined,
  more: readonly string[],
): Promise<(path: string) => boolean> {
  const listed = projectDir === undefined ? [] : await readLists(join(projectDir, STATE_FOLDER));
  const patterns = [...more, ...listed].map(asPattern);
  return patterns.length === 0 ? () => false : picomatch(patterns, { dot: true, nonegate: true });
}

/** Remembers paths that are not there yet, one in a line. Gives those that were new. */
export async function learnPaths(projectDir: string, paths: readonly string[]): Promise<string[]> {
  const file = learnedPathsFile(projectDir);
  const old = (await readIfThere(file)) ?? '';
  const known = new Set(linesOf(old));
  const fresh = [...new Set(paths)].map(escaped).filter((path) => !known.has(path));
  if (fresh.length === 0) return [];
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fd = openPlain(file, 'a');
  try {
    writeSync(fd, `${old === '' || old.endsWith('\n') ? '' : '\n'}${fresh.join('\n')}\n`);
  } finally {
    closeSync(fd);
  }
  return fresh;
}

async function readLists(folder: string): Promise<string[]> {
  const texts = await Promise.all(LISTS.map((name) => readIfThere(join(folder, name))));
  return [...texts.flatMap(linesOf), ...jsonList(await readIfThere(join(folder, JSON_LIST)))];
}

function linesOf(text = ''): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** A broken list counts as absent. */
function jsonList(text = ''): string[] {
  if (text === '') return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}

function asPattern(line: string): string {
  return line.endsWith('/') ? `${line}**` : line;
}

/** A path is itself, also with characters that mean something in a pattern. */
function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!#]/g, String.raw`\$&`);
}
