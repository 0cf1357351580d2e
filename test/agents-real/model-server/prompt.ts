/**
 * What a test's prompt asks the model to do, all optional: `FILE=a.txt CONTENT=word TEXT=word [shell] [slow] [ask]`,
 * `RUN={command}` instead of writing a file, `THEN={command}` after it, `TIMES=n` for the same call n times.
 */
export interface Wish {
  readonly file: string;
  readonly content: string;
  /** The first word of the final text. */
  readonly word: string;
  /** Write the file with the shell, not with the write tool. */
  readonly shell: boolean;
  /** A command of the shell takes a second before it writes. */
  readonly slow: boolean;
  /** Ask for more permission than the sandbox gives. */
  readonly ask: boolean;
  /** What the shell runs instead of writing the file. */
  readonly command: string | undefined;
  /** What the shell runs after the first call. */
  readonly afterwards: string | undefined;
  /** How often the first call is made. */
  readonly times: number;
}

const WISH = /FILE=|CONTENT=|TEXT=|RUN=|THEN=|TIMES=|\[shell\]|\[slow\]|\[ask\]/;

/** Of the newest text that wishes for something: earlier turns of a conversation do not leak into later ones. */
export function readWish(userTexts: readonly string[]): Wish {
  const text = userTexts.findLast((one) => WISH.test(one)) ?? '';
  return {
    file: lastOf(text, /FILE=([\w./-]+)/g) ?? 'hello.txt',
    content: lastOf(text, /CONTENT=(\w+)/g) ?? 'hello',
    word: lastOf(text, /TEXT=(\w+)/g) ?? 'DONE',
    shell: text.includes('[shell]'),
    slow: text.includes('[slow]'),
    ask: text.includes('[ask]'),
    command: lastOf(text, /RUN=\{([^}]*)\}/g),
    afterwards: lastOf(text, /THEN=\{([^}]*)\}/g),
    times: Number(lastOf(text, /TIMES=(\d+)/g) ?? 1),
  };
}

export function isWish(text: string): boolean {
  return WISH.test(text);
}

/** Where the CLI says it works: some of its tools want absolute paths. */
export function folderIn(text: string): string | undefined {
  return /(?:working directory|working in the directory|cwd)[^\n/<]{0,20}(\/[^\s<"'`,\\]+)/i
    .exec(text)?.[1]
    ?.replace(/\.$/, '');
}

/** The text of a message whose content is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string } | null) => part?.text ?? '').join('\n');
}

function lastOf(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1];
}
