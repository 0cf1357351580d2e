// The git commands that only look: a kill around one of them leaves what the command before it left.
const LOOKING = [
  'cat-file',
  'check-attr',
  'check-ignore',
  'check-ref-format',
  'diff',
  'diff-files',
  'diff-index',
  'diff-tree',
  'for-each-ref',
  'interpret-trailers',
  'log',
  'ls-files',
  'ls-tree',
  'merge-base',
  'rev-list',
  'rev-parse',
  'show',
  'show-ref',
  'status',
  'var',
  'version',
  'config --get',
  'config --local --list',
  'config --name-only --get-regexp',
  'config --type=bool --get',
  'config -z -f .gitmodules --get-regexp',
  'read-tree -n',
  'symbolic-ref -q',
  'worktree list',
];

/** Patterns of a shell for the words of such a command, after the options of git itself. */
export const LOOKING_PATTERNS = LOOKING.map((words) => `"${words} "*`).join('|');

/** For a longer run: kills around the commands that only look, too. */
export const EVERY = process.env['LOOPWRIGHT_FAULTS'] === 'every';

/** @param {readonly string[]} args */
export function onlyLooks(args) {
  let first = 0;
  while (args[first] === '-c' || args[first] === '--git-dir') first += 2;
  const command = `${args.slice(first).join(' ')} `;
  return LOOKING.some((words) => command.startsWith(`${words} `));
}
