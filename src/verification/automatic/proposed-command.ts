import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { makeTargets } from '../../config/detect/makefile.ts';
import { scriptNamed, scriptsIn } from '../commands/empty-script.ts';
import { neverFails } from '../commands/never-fails.ts';
import { type ChainStep, readChain } from '../commands/read-chain.ts';
import table from './known-runners.json' with { type: 'json' };

interface Runner {
  /** What its first word must be; absent: anything below. */
  readonly first?: readonly string[];
  readonly flags: readonly string[];
  readonly modules?: readonly string[];
  /** Without this it writes files. */
  readonly needs?: string;
}

const RUNNERS = new Map<string, Runner>(Object.entries(table));
const WAITS = 'it waits for a person, who can make it a command of the task';
/** Names of scripts that fetch, install, publish, remove or never end, whatever is behind them. */
const NOT_A_CHECK =
  /^(?:(?:pre|post)?(?:install|publish|pack|prepare|uninstall)|deploy|release|clean|start|dev|serve|watch|migrate|seed|upgrade|update)(?:[:.-]|$)/;
/** Words that cannot lead out of the project, and that no program takes for more than a name. */
const PLAIN = /^[\w@%+=:,./*-]+$/;

/**
 * Why a command that a model proposes is not run; undefined: it is. Only scripts of the project and known runners with
 * harmless words are: nothing that could delete, fetch or install, and nothing that proves nothing.
 */
export function whyNotProposed(command: string, root: string): string | undefined {
  const chain = readChain(command);
  if (!chain.ok) return chain.reason;
  const useless = neverFails(command);
  if (useless !== undefined) return `it proves nothing: ${useless}`;
  let folder = '';
  for (const step of chain.steps) {
    const problem = ofStep(step, root, folder);
    if (problem !== undefined) return problem;
    if (step.kind === 'cd') folder = posix.join(folder, step.words[0] ?? '');
  }
  return undefined;
}

function ofStep(step: ChainStep, root: string, folder: string): string | undefined {
  if (step.kind === 'cd') return step.words.every(isInside) ? undefined : 'it leaves the project';
  const { argv, env } = step;
  if (Object.keys(env).length > 0) return `it sets variables: ${WAITS}`;
  const odd = argv.slice(1).find((word) => !PLAIN.test(word) || !isInside(word.replace(/^-[^=]*=/, '')));
  if (odd !== undefined) return `of the word "${odd}": ${WAITS}`;
  const place = join(root, folder);
  const script = scriptNamed(argv);
  if (script !== undefined && scriptsIn(place).has(script))
    return NOT_A_CHECK.test(script) ? `"${script}" is no check: ${WAITS}` : undefined;
  const [program = '', ...words] = argv;
  if (program === 'make') return ofMake(words, place);
  if (program === 'npx') return ofLocal(words, place);
  return ofRunner(program, words, place);
}

/** A file of the project that an interpreter is given is a script of the project. */
function ofRunner(program: string, words: readonly string[], place: string): string | undefined {
  const [first = ''] = words;
  const isScript = /^(?:node|python3?|ruby|php|bash|sh|tsx|deno)$/.test(program) && isFile(place, first);
  if (isScript)
    return words.slice(1).some((word) => word.startsWith('-')) ? takes(program, words) : undefined;
  if (program.includes('/') && !RUNNERS.has(program)) return `${program} is not a known runner: ${WAITS}`;
  const runner = RUNNERS.get(program);
  if (!runner) return `${program} is not a known runner: ${WAITS}`;
  const { first: firsts, flags, modules, needs } = runner;
  if (firsts && !firsts.includes(first)) return takes(program, words);
  if (modules && !modules.includes(words[1] ?? '')) return takes(program, words);
  if (needs !== undefined && !words.includes(needs)) return `without ${needs} it writes files: ${WAITS}`;
  const strange = words.some((word) => word.startsWith('-') && !flags.includes(word.split('=')[0] ?? ''));
  return strange ? takes(program, words) : undefined;
}

function ofMake(words: readonly string[], place: string): string | undefined {
  if (words.some((word) => word.startsWith('-') || word.includes('='))) return takes('make', words);
  const known = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => join(place, name)).find(existsSync);
  const targets = known === undefined ? new Set<string>() : makeTargets(readFileSync(known, 'utf8'));
  const strange = words.find((word) => !targets.has(word) || NOT_A_CHECK.test(word));
  return strange === undefined ? undefined : `"${strange}" is no target of a check here: ${WAITS}`;
}

/** What is not installed here would be fetched. */
function ofLocal(words: readonly string[], place: string): string | undefined {
  const [program = '', ...rest] = words;
  if (!isFile(place, `node_modules/.bin/${program}`))
    return `${program} is not installed here, and nothing is fetched`;
  return ofRunner(program, rest, place);
}

function takes(program: string, words: readonly string[]): string {
  return `${program} is not started with "${words.join(' ')}" unasked: ${WAITS}`;
}

function isInside(word: string): boolean {
  return !word.startsWith('/') && !word.startsWith('~') && !word.split('/').includes('..');
}

function isFile(place: string, path: string): boolean {
  return (
    path !== '' && isInside(path) && statSync(join(place, path), { throwIfNoEntry: false })?.isFile() === true
  );
}
