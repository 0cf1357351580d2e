import { basename, relative, sep } from 'node:path';

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

export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
