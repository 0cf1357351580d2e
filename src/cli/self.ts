import { basename, relative, resolve, sep } from 'node:path';
import { shellWord } from '../kernel/shell-word.ts';
import { findPlace } from '../project/place.ts';

/** How the person called us, so that a printed command can be pasted as it is. */
export function selfCommand(script: string | undefined, cwd: string): string {
  if (script === undefined) return 'loopwright';
  if (basename(script) === 'loopwright') {
    return script.includes(`${sep}node_modules${sep}.bin${sep}`) ? 'npx loopwright' : 'loopwright';
  }
  const near = relative(cwd, script);
  return `node ${shellWord(near.startsWith('..') ? script : near)}`;
}

/** A command line for a person to paste. */
export function commandLine(...words: readonly string[]): string {
  return [selfCommand(process.argv[1], process.cwd()), ...words.map(shellWord)].join(' ');
}

/** How to name a project in a command: not at all when the command would find it by itself. */
export function projectWords(dir: string): string[] {
  return findPlace().dir === dir ? [] : ['--dir', dir];
}

/** The project that was named on this command line, for what is said before it could be opened. */
export function namedProjectWords(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => word === '--dir' || word.startsWith('--dir='));
  const named = argv[at] === '--dir' ? argv[at + 1] : argv[at]?.slice('--dir='.length);
  return at < 0 || named === undefined || resolve(named) === findPlace().dir ? [] : ['--dir', named];
}
