import { loaderProblem } from '../kernel/loader-variables.ts';
import type { SetupCommand } from '../workspace/setup/prepare.ts';
export type CommandLine =
  | {
      readonly ok: true;
      readonly argv: readonly string[];
      /** From leading `NAME=value` words. */
      readonly env: { readonly [name: string]: string };
    }
  | { readonly ok: false; readonly reason: string };

/** Refused wherever they stand, also inside quotes: no reader then has to know how a shell would read them. */
const OPERATORS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/[\r\n]/, 'a line break would start a second command'],
  [/\0/, 'a NUL character cannot be passed to a program'],
  [/\$\(/, 'command substitution "$(" is not supported'],
  [/`/, 'command substitution with backticks is not supported'],
  [/\|\|/, '"||" is not supported'],
  [/\|/, 'a pipe "|" is not supported'],
  [/;/, '";" is not supported'],
  [/[<>]/, 'redirections "<" and ">" are not supported'],
  [/&/, '"&" is not supported'],
];

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * Reads a command as a POSIX shell reads plain words: quotes, escapes, leading assignments. No shell ever
 * sees it, so `$HOME` and `*.ts` stay as they are written.
 */
export function tokenize(text: string): CommandLine {
  const operator = OPERATORS.find(([pattern]) => pattern.test(text));
  if (operator) return { ok: false, reason: operator[1] };
  const words = splitWords(text);
  if (typeof words === 'string') return { ok: false, reason: words };
  const assignments = words.findIndex(
    (word) => word.bareTo <= word.text.indexOf('=') || !ASSIGNMENT.test(word.text),
  );
  if (words.length === 0) return { ok: false, reason: 'the command is empty' };
  if (assignments < 0) return { ok: false, reason: 'there are only assignments and no command' };
  const env: Record<string, string> = {};
  for (const { text: word } of words.slice(0, assignments)) {
    const equals = word.indexOf('=');
    env[word.slice(0, equals)] = word.slice(equals + 1);
  }
  const loads = loaderProblem(env);
  if (loads !== undefined) return { ok: false, reason: loads };
  return { ok: true, argv: words.slice(assignments).map((word) => word.text), env };
}

interface Word {
  text: string;
  /** How far it was written without quotes and escapes; `"A"=1` is a word, not an assignment. */
  bareTo: number;
}

/** The words, or the reason why there are none. */
function splitWords(text: string): Word[] | string {
  const words: Word[] = [];
  let word: Word | undefined;
  const open = (): Word => {
    if (word) return word;
    word = { text: '', bareTo: Number.POSITIVE_INFINITY };
    words.push(word);
    return word;
  };
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t') {
      word = undefined;
      at++;
      continue;
    }
    if (char === '(' || char === ')') return 'a parenthesis outside quotes is not supported';
    if (char === '#' && !word) return 'a comment is not supported';
    const current = open();
    const piece = readPiece(text, at);
    if (typeof piece === 'string') return piece;
    if (piece.quoted) current.bareTo = Math.min(current.bareTo, current.text.length);
    current.text += piece.text;
    at = piece.next;
  }
  return words;
}

type Piece = { readonly text: string; readonly quoted: boolean; readonly next: number };

function readPiece(text: string, at: number): Piece | string {
  const char = text.charAt(at);
  if (char === "'") {
    const close = text.indexOf("'", at + 1);
    if (close < 0) return "a quote ' is not closed";
    return { text: text.slice(at + 1, close), quoted: true, next: close + 1 };
  }
  if (char === '"') return readDoubleQuoted(text, at + 1);
  if (char === '\\') {
    if (at + 1 >= text.length) return 'a backslash at the end escapes nothing';
    return { text: text.charAt(at + 1), quoted: true, next: at + 2 };
  }
  return { text: char, quoted: false, next: at + 1 };
}

/** Inside double quotes a backslash escapes only what would be special there; elsewhere it stays. */
function readDoubleQuoted(text: string, from: number): Piece | string {
  let content = '';
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return { text: content, quoted: true, next: at + 1 };
    const next = text.charAt(at + 1);
    if (char === '\\' && (next === '"' || next === '\\' || next === '$')) {
      content += next;
      at++;
    } else {
      content += char;
    }
  }
  return 'a quote " is not closed';
}

type ReadSetupCommands =
  | { readonly ok: true; readonly commands: readonly SetupCommand[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Setup and teardown as they are configured: a line that is read like a shell reads plain words, or words. */
export function readSetupCommands(
  lines: readonly (string | readonly string[])[],
  place: string,
): ReadSetupCommands {
  const commands: SetupCommand[] = [];
  const problems: string[] = [];
  for (const [i, line] of lines.entries()) {
    const read = typeof line === 'string' ? tokenize(line) : { ok: true as const, argv: line, env: {} };
    if (read.ok) commands.push({ argv: read.argv, env: read.env });
    else problems.push(`${place}[${i}] cannot be run as "${String(line)}": ${read.reason}.`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, commands };
}
