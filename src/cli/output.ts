import { isatty } from 'node:tty';
import { processEnvironment, terminalSettings } from '../config/terminal.ts';
import { errorCode } from '../kernel/errors.ts';
import { makeStyle, type Style } from './display/style.ts';

/** Everything loopwright prints goes through here. */
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
  line(text?: string): void;
  error(text: string): void;
  json(value: unknown): void;
  /** Calls back once when nobody reads the output any more; without a listener the process ends. */
  onClosed(listener: () => void): () => void;
}

const DEFAULT_COLUMNS = 100;

export function createScreen(): Screen {
  const env = processEnvironment();
  const { stdout, stderr } = process;
  const isTerminal = isatty(1);
  const settings = terminalSettings(isTerminal, env);
  const listeners = new Set<() => void>();
  let closed = false;
  stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') throw error;
    if (closed) return;
    closed = true;
    if (listeners.size === 0) process.exit(0);
    for (const listener of listeners) listener();
  });
  stderr.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') throw error;
  });
  const write = (text: string): void => {
    if (!closed) stdout.write(text);
  };
  return {
    style: makeStyle(settings.color),
    errorStyle: makeStyle(terminalSettings(isatty(2), env).color),
    color: settings.color,
    debug: settings.debug,
    live: isTerminal && env['TERM'] !== 'dumb',
    interactive: isTerminal && isatty(0),
    get columns() {
      return stdout.columns ?? DEFAULT_COLUMNS;
    },
    line: (text = '') => write(`${text}\n`),
    error: (text) => void stderr.write(`${text}\n`),
    json: (value) => write(`${JSON.stringify(value)}\n`),
    onClosed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
