/** Where the session and its repository keep their own state; a written file must never reach in there. */
const RESERVED = new Set(['.git', '.loopwright', 'git~1', 'loopwr~1']);

/** macOS allows no longer path at all; a component has 255 bytes nearly everywhere. */
const LONGEST_PATH = 1024;
const LONGEST_NAME = 255;

/**
 * Why a path may not be written inside a tree, as half a sentence, or undefined. Lexical only: what a symlink
 * does is for the writer to find out.
 */
export function checkRelativePath(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (/[\p{Cc}\p{Surrogate}]/u.test(path)) return 'contains a control character or half a character';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  if (path.startsWith('~')) return 'begins with "~", which is somebody\'s home folder';
  if (path.endsWith('/')) return 'names a folder';
  if (Buffer.byteLength(path) > LONGEST_PATH) return `is longer than ${LONGEST_PATH} bytes`;
  const names = path.split('/');
  if (names.every((name) => name === '.')) return 'names a folder';
  return firstReason(names) ?? firstReason(disguised(path));
}

function firstReason(names: readonly string[]): string | undefined {
  for (const name of names) {
    if (name === '') return 'contains an empty name';
    if (name === '..') return 'leads upwards with ".."';
    if (Buffer.byteLength(name) > LONGEST_NAME) return `contains a name longer than ${LONGEST_NAME} bytes`;
    if (RESERVED.has(folded(name))) return `reaches into "${name}", which is reserved`;
  }
  return undefined;
}

/** The names as a file system that maps look-alikes to plain characters would see them. */
function disguised(path: string): string[] {
  return visible(path)
    .split(/[/\\]/)
    .filter((name) => name !== '');
}

/** File systems fold case, drop ignorable characters, trailing dots and blanks, or cut at a colon. */
function folded(name: string): string {
  const [plain = ''] = visible(name).toUpperCase().toLowerCase().split(':');
  return plain.replace(/[. ]+$/, '');
}

function visible(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
}
