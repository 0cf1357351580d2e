import type { Terminal } from '@xterm/headless';
import type { TerminalSize } from '../runner/runner.ts';
import { repaint } from './repaint.ts';
import { Tail } from './tail.ts';

/** More than any program paints between two moments of quiet; what floods past it costs no rendering. */
const RENDERED_TAIL = 256 * 1024;

/** The screen as a person would see it. Text is only collected; it is rendered when somebody looks. */
export class Screen {
  readonly #waiting = new Tail(RENDERED_TAIL);
  #size: TerminalSize;
  #terminal: Promise<Terminal> | undefined;
  /** Rendering takes its time; who looks meanwhile waits for it. */
  #rendering: Promise<unknown> = Promise.resolve();

  constructor(size: TerminalSize) {
    this.#size = size;
  }

  push(raw: string): void {
    this.#waiting.push(raw);
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    if (this.#terminal) void this.#rendered((terminal) => terminal.resize(size.columns, size.rows));
  }

  /** Blank, with the cursor where it is: from now on only what is painted again is seen. */
  blank(): void {
    this.#waiting.push(ERASE);
  }

  /** The lines, trailing blanks and empty lines at the end removed. */
  text(): Promise<string> {
    return this.#rendered(({ buffer: { active }, rows }) =>
      Array.from(
        { length: rows },
        (_, row) =>
          active
            .getLine(active.baseY + row)
            ?.translateToString(true)
            .trimEnd() ?? '',
      )
        .join('\n')
        .trimEnd(),
    );
  }

  /** What makes another terminal look the same. */
  repaint(): Promise<string> {
    return this.#rendered(repaint);
  }

  /** Renders, and gives back what a terminal replies to the questions in what it was sent. */
  replies(): Promise<string> {
    return this.#rendered((_, replies) => replies);
  }

  #rendered<T>(look: (terminal: Terminal, replies: string) => T): Promise<T> {
    // Now and not when its turn comes: what arrives later is meant for the screen after this look.
    const text = this.#waiting.cut ? afterCut(this.#waiting.read()) : this.#waiting.read();
    this.#waiting.clear();
    this.#terminal ??= open(this.#size);
    const opening = this.#terminal;
    const looked = this.#rendering.then(async () => {
      const terminal = await opening;
      let replies = '';
      const listening = terminal.onData((reply) => {
        replies += reply;
      });
      await new Promise<void>((resolve) => terminal.write(text, resolve));
      listening.dispose();
      return look(terminal, replies);
    });
    this.#rendering = looked;
    return looked;
  }
}

const ERASE = '\u001b[2J';

async function open({ columns, rows }: TerminalSize): Promise<Terminal> {
  // Only looked-at screens pay for the terminal.
  const { default: xterm } = await import('@xterm/headless');
  return new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
}

/** Ends what the missing part may have begun, wipes what it would have painted over, begins with a sequence or a line. */
function afterCut(text: string): string {
  const starts = ['\u001b', '\n'].map((sign) => text.indexOf(sign)).filter((at) => at >= 0);
  const start = starts.length === 0 ? 0 : Math.min(...starts);
  return `\u0018${ERASE}${text.slice(start)}`;
}
