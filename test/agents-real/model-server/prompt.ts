/** What a test's prompt asks the model to do: `FILE=a.txt CONTENT=word TEXT=word [shell] [slow] [ask]`, all optional. */
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
}

const WISH = /FILE=|CONTENT=|TEXT=|\[shell\]|\[slow\]|\[ask\]/;

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
  };
}

/** Where the CLI says it works: some of its tools want absolute paths. */
export function folderIn(text: string): string | undefined {
  return /(?:working directory|cwd)[^\n/]{0,20}(\/[^\s<"'`,\\]+)/i.exec(text)?.[1]?.replace(/\.$/, '');
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
