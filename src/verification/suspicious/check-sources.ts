import { posix } from 'node:path';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { tokenize } from '../command-line.ts';
import { scriptNamed } from '../commands/empty-script.ts';
import { splitChain } from '../commands/split-chain.ts';
import type { SuspiciousChange } from './segment.ts';

/** What one tree has at a path; undefined: nothing. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** Everything that a command runs before it comes to a tool of its own: where it is written, and what is written there. */
export interface CheckSources {
  /** By place, such as `package.json scripts.test`. */
  readonly steps: ReadonlyMap<string, { readonly path: string; readonly text: string }>;
  /** Files that it starts as programs or scripts. */
  readonly files: ReadonlySet<string>;
}

const RUNNERS = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|bash|sh|zsh)$/;
const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh|bash)$/;
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const DEEPEST = 8;

/** Follows a command through package scripts, make targets and scripts that it starts. */
export async function checkSources(commands: readonly string[], read: ReadFile): Promise<CheckSources> {
  const found = { steps: new Map<string, { path: string; text: string }>(), files: new Set<string>() };
  for (const command of commands) await follow(command, '', read, found, 0);
  return found;
}

type Found = { steps: Map<string, { path: string; text: string }>; files: Set<string> };

async function follow(
  command: string,
  from: string,
  read: ReadFile,
  found: Found,
  depth: number,
): Promise<void> {
  if (depth > DEEPEST) return;
  let folder = from;
  for (const part of splitChain(command)) {
    const words = wordsOf(part);
    const [program = '', ...rest] = words;
    if (program === 'cd') folder = posix.join(folder, rest[0] ?? '');
    const script = scriptNamed(words);
    if (script !== undefined) await followScript(script, folder, read, found, depth);
    else if (/^g?make$/.test(program)) await followTarget(rest, folder, read, found, depth);
    else for (const file of startedFiles(program, rest)) found.files.add(posix.join(folder, file));
  }
}

/** A script can use what no command here may: pipes and the like. Its words are found all the same. */
function wordsOf(part: string): readonly string[] {
  const line = tokenize(part);
  return line.ok ? line.argv : part.split(/\s+/).filter((word) => !/^\w+=/.test(word) && word !== '');
}

function startedFiles(program: string, words: readonly string[]): string[] {
  if (RUNNERS.test(posix.basename(program)))
    return words.filter((word) => SCRIPT.test(word) && !/[*?]/.test(word)).slice(0, 1);
  return program.includes('/') && !program.startsWith('/') && !program.includes('node_modules/')
    ? [posix.normalize(program)]
    : [];
}

async function followScript(
  name: string,
  folder: string,
  read: ReadFile,
  found: Found,
  depth: number,
): Promise<void> {
  const path = posix.join(folder, 'package.json');
  const document = await read(path);
  const scripts = scriptsIn(document);
  for (const [key, value] of Object.entries(steeringIn(document)))
    found.steps.set(`${path} ${key}`, { path, text: value });
  for (const each of [`pre${name}`, name, `post${name}`]) {
    const text = scripts[each];
    const place = `${path} scripts.${each}`;
    if (typeof text !== 'string' || found.steps.has(place)) continue;
    found.steps.set(place, { path, text });
    await follow(text, folder, read, found, depth + 1);
  }
}

/** Parts of a package that decide what its tests load, and how they run. */
const STEERING = [
  'imports',
  'exports',
  'type',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'c8',
  'nyc',
  'config',
];

function steeringIn(text: string | undefined): { readonly [key: string]: string } {
  const document = documentIn(text);
  return Object.fromEntries(
    STEERING.flatMap((key) => (document[key] === undefined ? [] : [[key, JSON.stringify(document[key])]])),
  );
}

function scriptsIn(text: string | undefined): { readonly [name: string]: unknown } {
  const { scripts } = documentIn(text);
  return isJsonObject(scripts) ? scripts : {};
}

function documentIn(text: string | undefined): JsonObject {
  try {
    const document: unknown = JSON.parse(text ?? '{}');
    return isJsonObject(document) ? document : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The recipe of a target and of what it needs; without a target the first one. */
async function followTarget(
  words: readonly string[],
  from: string,
  read: ReadFile,
  found: Found,
  depth: number,
): Promise<void> {
  const inFolder = words.indexOf('-C');
  const folder = inFolder < 0 ? from : posix.join(from, words[inFolder + 1] ?? '');
  const path = await firstOf(
    MAKEFILES.map((name) => posix.join(folder, name)),
    read,
  );
  const text = (path && (await read(path))) ?? '';
  const targets = targetsIn(text);
  // A variable can be the shell of every recipe, or all of one.
  const variables = text
    .split('\n')
    .filter((line) => /^[^\t#].*=/.test(line) && !/^[^=]*:(?!=)[^=]*$/.test(line));
  if (path !== undefined && variables.length > 0)
    found.steps.set(`${path} variables`, { path, text: variables.join('\n') });
  const asked = words.filter((word, at) => !/^-|=/.test(word) && words[at - 1] !== '-C');
  const first = [...targets.keys()].find((name) => !name.startsWith('.'));
  const queue = asked.length > 0 ? [...asked] : first === undefined ? [] : [first];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const target = targets.get(name);
    const place = `${path} ${name}`;
    if (!target || path === undefined || found.steps.has(place)) continue;
    found.steps.set(place, { path, text: target.recipe.join('\n') });
    queue.push(...target.needs);
    for (const line of target.recipe)
      await follow(line.replace(/^[@+-]+/, ''), folder, read, found, depth + 1);
  }
}

async function firstOf(paths: readonly string[], read: ReadFile): Promise<string | undefined> {
  for (const path of paths) if ((await read(path)) !== undefined) return path;
  return undefined;
}

function targetsIn(text: string): Map<string, { readonly needs: string[]; readonly recipe: string[] }> {
  const targets = new Map<string, { needs: string[]; recipe: string[] }>();
  let open: { needs: string[]; recipe: string[] }[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const head = /^([^\s:#=][^:=#]*):(?!=)([^=#]*)/.exec(line);
    if (line.startsWith('\t')) for (const target of open) target.recipe.push(line.trim());
    else if (head) {
      const needs = (head[2] ?? '').split(/[\s|]+/).filter((word) => word !== '');
      open = (head[1] ?? '')
        .trim()
        .split(/\s+/)
        .map((name) => {
          const target = targets.get(name) ?? { needs: [], recipe: [] };
          target.needs.push(...needs);
          targets.set(name, target);
          return target;
        });
    } else if (line.trim() !== '') open = [];
  }
  return targets;
}

/** What the commands ran on the base and would run in another form on the delivered tree. */
export function changedSources(base: CheckSources, delivered: CheckSources): SuspiciousChange[] {
  const places = [...new Set([...base.steps.keys(), ...delivered.steps.keys()])];
  return places.flatMap((place): SuspiciousChange[] => {
    const [before, now] = [base.steps.get(place), delivered.steps.get(place)];
    if (before?.text === now?.text) return [];
    const path = (now ?? before)?.path ?? place;
    const what = now
      ? before
        ? `${place} was \`${short(before.text)}\` and is \`${short(now.text)}\``
        : `${place} is new and part of a check: \`${short(now.text)}\``
      : `${place} is gone; it was \`${short(before?.text ?? '')}\``;
    return [{ rule: 'check_changed', weight: 'hard', path, what }];
  });
}

function short(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}
