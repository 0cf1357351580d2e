import { once } from 'node:events';
import { isatty } from 'node:tty';
import { errorCode } from '../kernel/errors.ts';
import { visible, visibleLine } from '../kernel/visible.ts';
import { oneLine } from '../kernel/words.ts';
import { processEnvironment, terminalSettings } from '../project/terminal.ts';
import { makeStyle, type Style } from './display/style.ts';

/**
 * Everything loopwright prints goes through here, and leaves as text: whatever others wrote into it, a terminal shows
 * it and does not obey it. JSON keeps its data, as escapes.
 */
export interface Screen {
  readonly style: Style;
  readonly errorStyle: Style;
  readonly color: boolean;
  readonly debug: boolean;
  /** The output is a terminal, where lines can be drawn over. */
  readonly live: boolean;
  /** A person sits in front of it and can be asked. */
  readonly interactive: boolean;
  readonly columns: number;
  /** How wide a line may be; without an end where nobody looks at a window. */
  readonly width: number;
  /** Asks the terminal for a notification, where it has such; nothing happens elsewhere. */
  notify?(title: string, message: string): void;
  line(text?: string): void;
  /** Lines that somebody else wrote, such as a diff: not a word of them is put otherwise. */
  verbatim(text: string): void;
  /** Without a line end of its own, and only when the reader has room for more. */
  text(text: string, options?: { readonly raw?: boolean }): Promise<void>;
  error(text: string): void;
  json(value: unknown): void;
  /** Why the output cannot be written, as on a full disk; a reader that has gone away is no failure. */
  readonly failure: string | undefined;
  /** Calls back once when the output accepts nothing more; without a listener the process ends. */
  onClosed(listener: () => void): () => void;
}

const DEFAULT_COLUMNS = 100;

/** Where a semicolon would part it. */
function inNotification(text: string): string {
  return oneLine(text).replaceAll(';', ',');
}

export function createScreen(): Screen {
  const env = processEnvironment();
  const { stdout, stderr } = process;
  const isTerminal = isatty(1);
  const settings = terminalSettings(isTerminal, env);
  const listeners = new Set<() => void>();
  const errorStyle = makeStyle(terminalSettings(isatty(2), env).color);
  const say = (text: string): void => void stderr.write(`${visibleLine(text)}\n`);
  let closed = false;
  let failure: string | undefined;
  stdout.on('error', (error) => {
    if (closed) return;
    closed = true;
    if (errorCode(error) !== 'EPIPE') {
      failure = `Standard output could not be written: ${error.message}`;
      say(`${errorStyle.red('error:')} ${failure}`);
    }
    if (listeners.size === 0) process.exit(failure === undefined ? 0 : 1);
    for (const listener of listeners) listener();
  });
  stderr.on('error', () => {
    // There is nobody left who could be told; the exit code still says how it ended.
  });
  const write = (text: string): void => {
    if (!closed) stdout.write(text);
  };
  return {
    style: makeStyle(settings.color),
    errorStyle,
    color: settings.color,
    debug: settings.debug,
    live: isTerminal && env['TERM'] !== 'dumb',
    interactive: isTerminal && isatty(0),
    get columns() {
      return stdout.columns ?? settings.columns ?? DEFAULT_COLUMNS;
    },
    get width() {
      return stdout.columns ?? settings.columns ?? Number.POSITIVE_INFINITY;
    },
    notify(title, message) {
      if (settings.notification === 'osc9')
        write(`\u001b]9;${inNotification(title)}: ${inNotification(message)}\u0007`);
      if (settings.notification === 'osc777')
        write(`\u001b]777;notify;${inNotification(title)};${inNotification(message)}\u0007`);
    },
    line: (text = '') => write(`${visibleLine(text)}\n`),
    verbatim: (text) => write(`${visibleLine(text)}\n`),
    async text(text, { raw = false } = {}) {
      // Whoever asks for the bytes gets them in a file or a pipe; a terminal would obey them.
      const shown = raw && !isTerminal ? text : visibleLine(withoutReturns(text));
      if (!closed && !stdout.write(shown)) await Promise.race([once(stdout, 'drain'), once(stdout, 'error')]);
    },
    error: say,
    get failure() {
      return failure;
    },
    json: (value) => write(`${visible(JSON.stringify(value))}\n`),
    onClosed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A line end is one, however a file writes it. */
function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
