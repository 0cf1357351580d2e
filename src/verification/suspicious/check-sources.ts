import { posix } from 'node:path';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { tokenize } from '../command-line.ts';
import { splitChain } from '../commands/split-chain.ts';
import { askedTargets, targetsIn, variablesIn } from './make-recipes.ts';
import { packageFolders, type ScriptCall, scriptCall } from './script-call.ts';
import type { SuspiciousChange } from './segment.ts';
import { startedFiles, testedPaths } from './started-files.ts';

/** One tree, looked at without a checkout. */
export interface TreeFiles {
  /** What it has at a path; undefined: nothing. */
  read(path: string): Promise<string | undefined>;
  /** All of its paths; asked only where a command speaks of packages by name. */
  list(): Promise<readonly string[]>;
}

interface CheckStep {
  readonly path: string;
  readonly text: string;
  /** Of one of many packages that the command goes through: a new one adds to the check. */
  readonly amongMany?: boolean;
}

/** Everything that a command runs before it comes to a tool of its own: where it is written, and what is written there. */
export interface CheckSources {
  /** By place, such as `package.json scripts.test`. */
  readonly steps: ReadonlyMap<string, CheckStep>;
  /** Files that it starts as programs or scripts. */
  readonly files: ReadonlySet<string>;
  /** Patterns of files that it hands to a test runner as tests. */
  readonly tested: ReadonlySet<string>;
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const DEEPEST = 8;

/** Follows a command through package scripts, make targets and scripts that it starts. */
export async function checkSources(commands: readonly string[], tree: TreeFiles): Promise<CheckSources> {
  const walk = new Walk(tree);
  for (const command of commands) await walk.follow(command, '', 0);
  return walk;
}

class Walk implements CheckSources {
  readonly steps = new Map<string, CheckStep>();
  readonly files = new Set<string>();
  readonly tested = new Set<string>();
  readonly #tree: TreeFiles;

  constructor(tree: TreeFiles) {
    this.#tree = tree;
  }

  async follow(command: string, from: string, depth: number): Promise<void> {
    if (depth > DEEPEST) return;
    let folder = from;
    for (const part of splitChain(command)) {
      const words = wordsOf(part);
      const [program = '', ...rest] = words;
      if (program === 'cd') folder = posix.join(folder, rest[0] ?? '');
      const call = scriptCall(words);
      if (call) await this.#followCall(call, folder, depth);
      else if (/^g?make$/.test(program)) await this.#followTarget(rest, folder, depth);
      else await this.#followProgram(program, rest, folder, depth);
    }
  }

  async #followProgram(
    program: string,
    words: readonly string[],
    folder: string,
    depth: number,
  ): Promise<void> {
    for (const pattern of testedPaths(program, words)) this.tested.add(posix.join(folder, pattern));
    for (const file of startedFiles(program, words)) {
      const path = posix.join(folder, file);
      if (this.files.has(path)) continue;
      this.files.add(path);
      const text = await this.#tree.read(path);
      // A shell script runs others; what one in another language does cannot be read off its lines.
      if (text === undefined || !isShell(path, text)) continue;
      for (const line of commandLines(text)) await this.follow(line, folder, depth + 1);
    }
  }

  async #followCall(call: ScriptCall, from: string, depth: number): Promise<void> {
    const folders = call.packages ? await packageFolders(call, this.#tree) : [posix.join(from, call.folder)];
    const amongMany = call.packages !== undefined;
    for (const folder of folders) await this.#followScript(call.script, folder, depth, { amongMany });
  }

  async #followScript(
    name: string,
    folder: string,
    depth: number,
    { amongMany }: { readonly amongMany: boolean },
  ): Promise<void> {
    const path = posix.join(folder, 'package.json');
    const document = documentIn(await this.#tree.read(path));
    for (const key of STEERING)
      if (document[key] !== undefined)
        this.steps.set(`${path} ${key}`, { path, text: JSON.stringify(document[key]), amongMany });
    const scripts = isJsonObject(document['scripts']) ? document['scripts'] : {};
    for (const each of [`pre${name}`, name, `post${name}`]) {
      const text = scripts[each];
      const place = `${path} scripts.${each}`;
      if (typeof text !== 'string' || this.steps.has(place)) continue;
      this.steps.set(place, { path, text, amongMany });
      await this.follow(text, folder, depth + 1);
    }
  }

  /** The recipe of a target and of what it needs. */
  async #followTarget(words: readonly string[], from: string, depth: number): Promise<void> {
    const inFolder = words.indexOf('-C');
    const folder = inFolder < 0 ? from : posix.join(from, words[inFolder + 1] ?? '');
    const path = await this.#firstOf(MAKEFILES.map((name) => posix.join(folder, name)));
    if (path === undefined) return;
    const text = (await this.#tree.read(path)) ?? '';
    const targets = targetsIn(text);
    const variables = variablesIn(text);
    if (variables.length > 0) this.steps.set(`${path} variables`, { path, text: variables.join('\n') });
    const queue = askedTargets(words, targets);
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const target = targets.get(name);
      const place = `${path} ${name}`;
      if (!target || this.steps.has(place)) continue;
      this.steps.set(place, { path, text: target.recipe.join('\n') });
      queue.push(...target.needs);
      for (const line of target.recipe) await this.follow(line.replace(/^[@+-]+/, ''), folder, depth + 1);
    }
  }

  async #firstOf(paths: readonly string[]): Promise<string | undefined> {
    for (const path of paths) if ((await this.#tree.read(path)) !== undefined) return path;
    return undefined;
  }
}

/** A script can use what no command here may: pipes and the like. Its words are found all the same. */
function wordsOf(part: string): readonly string[] {
  const line = tokenize(part);
  return line.ok ? line.argv : part.split(/\s+/).filter((word) => !/^\w+=/.test(word) && word !== '');
}

function isShell(path: string, text: string): boolean {
  return /\.(?:sh|bash)$/.test(path) || /^#!.*\b(?:ba|da|z)?sh\b/.test(text);
}

/** The commands of a shell script, as far as lines tell; words that only steer it are taken off their front. */
function commandLines(text: string): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .flatMap((line) => line.split(/;|\|\||\||&(?!&)(?<!&&)/))
    .map((line) => line.trim().replace(/^(?:(?:if|then|else|elif|while|until|do|!|exec|time|\(|\{)\s+)+/, ''))
    .filter((line) => line !== '');
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

function documentIn(text: string | undefined): JsonObject {
  try {
    const document: unknown = JSON.parse(text ?? '{}');
    return isJsonObject(document) ? document : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** What the commands ran on the base and would run in another form on the delivered tree. */
export function changedSources(base: CheckSources, delivered: CheckSources): SuspiciousChange[] {
  const places = [...new Set([...base.steps.keys(), ...delivered.steps.keys()])];
  const known = new Set([...base.steps.values()].map(({ path }) => path));
  return places.flatMap((place): SuspiciousChange[] => {
    const [before, now] = [base.steps.get(place), delivered.steps.get(place)];
    if (before?.text === now?.text) return [];
    if (!before && now?.amongMany && !known.has(now.path)) return [];
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
