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

/**
 * A text whose commands (`loopwright show ID`, or `loopwright init` after a colon) can be pasted as they are:
 * with the words the person called us by, and for the project they named. The library that writes such texts
 * knows neither.
 */
export function withOurCommands(
  text: string,
  argv: readonly string[] = process.argv,
  cwd = process.cwd(),
): string {
  const self = selfCommand(argv[1], cwd);
  const line = (words: string): string => `${self} ${words}${projectWords(words, argv)}`;
  return text
    .replace(/`loopwright ([^`]+)`/g, (_, words: string) => `\`${line(words)}\``)
    .replace(/(?<=: )loopwright (.+)$/gm, (_, words: string) => line(words));
}

/** `demo` makes a project of its own, and an option such as `--help` is about none. */
function projectWords(words: string, argv: readonly string[]): string {
  if (/^(?:-|demo|help)/.test(words) || / --dir\b/.test(words)) return '';
  return projectWordsOf(argv)
    .map((word) => ` ${shellWord(word)}`)
    .join('');
}

/** The project that the person named on this command line, in words to be repeated. */
export function projectWordsOf(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => word === '--dir' || word.startsWith('--dir='));
  const named = argv[at] === '--dir' ? argv[at + 1] : argv[at]?.slice('--dir='.length);
  return at < 0 || named === undefined ? [] : ['--dir', named];
}

export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
