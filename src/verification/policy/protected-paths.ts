import { posix } from 'node:path';
import picomatch from 'picomatch';
import { tokenize } from '../command-line.ts';
import { splitChain } from '../commands/split-chain.ts';
import table from './protected-paths.json' with { type: 'json' };

/**
 * Files that run code on the next start of some tool, or that steer whoever works next. A pattern never opens them,
 * nor does a word in a goal, a model or a recovery: only a person who allows exactly that path.
 */
type Row = { readonly why: string; readonly matches: (path: string) => boolean };

/** Names that differ in case only are one file on many disks. */
const rowsOf = (rows: { readonly [why: string]: readonly string[] }): Row[] =>
  Object.entries(rows).map(([why, patterns]) => ({
    why,
    matches: picomatch([...patterns], { dot: true, nocase: true }),
  }));

let tasks: readonly Row[] | undefined;
let runs: readonly Row[] | undefined;
let strangers: readonly Row[] | undefined;

export interface Protection {
  /** The work is for somebody whose words nobody here has written: more is protected then. */
  readonly forStranger?: boolean;
  /** The work is a session's that a person started, not a task's: what decides about the tests is protected instead. */
  readonly forRun?: boolean;
  /** Paths that a person opened, each by its own name. */
  readonly opened?: readonly string[];
  /** Commands that prove the work: what they run must not be rewritten by it. */
  readonly commands?: readonly string[];
}

/** Why a path is protected; undefined: it is not, or a person opened it. */
export function whyProtected(path: string, protection: Protection = {}): string | undefined {
  const { forStranger = false, forRun = false, opened = [], commands = [] } = protection;
  const plain = posix.normalize(path).replace(/^\.\//, '');
  if (opened.some((each) => posix.normalize(each.trim()).replace(/^\.\//, '') === plain)) return undefined;
  tasks ??= rowsOf({ ...table.tasks, ...table.everybody });
  runs ??= rowsOf({ ...table.everybody, ...table.runs });
  const found = (forRun ? runs : tasks).find(({ matches }) => matches(plain));
  if (found || (!forStranger && !forRun)) return found?.why;
  strangers ??= rowsOf(table.strangers);
  const more = forStranger ? strangers.find(({ matches }) => matches(plain)) : undefined;
  if (more) return more.why;
  return scriptsOf(commands).includes(plain) ? 'a command that proves the work runs it' : undefined;
}

const RUNNERS = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|bash|sh|zsh)$/;
const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh|bash)$/;

/** The files that commands name as the program to run, from the root of the project. */
function scriptsOf(commands: readonly string[]): string[] {
  return commands.flatMap((command) => {
    let folder = '';
    return splitChain(command).flatMap((part) => {
      const line = tokenize(part);
      const [program = '', ...words] = line.ok ? line.argv : [];
      if (program === 'cd') folder = posix.join(folder, words[0] ?? '');
      const named = RUNNERS.test(posix.basename(program))
        ? words.filter((word) => SCRIPT.test(word)).slice(0, 1)
        : program.includes('/')
          ? [program]
          : [];
      return named.map((file) => posix.join(folder, file));
    });
  });
}
