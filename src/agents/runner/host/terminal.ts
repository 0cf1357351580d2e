import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ReadStream } from 'node:tty';
import type { TerminalSize } from '../runner.ts';
import type { TerminalLaunch } from './protocol.ts';

/**
 * The native part of node-pty 1.1.0. Its own JavaScript closes the terminal 200 ms after the exit of the program, read
 * or not, and tells about the exit only then.
 */
interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(fd: number, columns: number, rows: number): void;
}

/** Both ends of a terminal with a program on it. */
export interface OpenTerminal {
  readonly pid: number;
  /** What the program writes; what is written here it reads. */
  readonly master: ReadStream;
  /**
   * The program's end, held open by us too: Node 20 and 22 throw away what is unread when the last one closes it. Does
   * not block.
   */
  readonly slave: number;
  resize(size: TerminalSize): void;
  close(): void;
}

export function openTerminal(
  { program, args, cwd, env, size }: TerminalLaunch,
  onExit: (code: number, signal: number) => void,
): OpenTerminal {
  const native = loadNative();
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const { columns, rows } = size;
  const { fd, pid, pty } = native.fork(
    ...([program, args, entries, cwd, columns, rows, -1, -1, true, helperPath(), onExit] as const),
  );
  const slave = openSync(pty, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  const master = new ReadStream(fd);
  return {
    pid,
    master,
    slave,
    resize: (wanted) => native.resize(fd, wanted.columns, wanted.rows),
    close() {
      closeSync(slave);
      master.destroy();
    },
  };
}

const require = createRequire(import.meta.url);

function loadNative(): NativePty {
  const module = require('@lydell/node-pty/requireBinary.js') as { requireBinary(file: string): NativePty };
  return module.requireBinary('pty.node');
}

/** macOS starts programs on a terminal through a small one of its own. */
function helperPath(): string {
  if (process.platform !== 'darwin') return '';
  return require.resolve(`@lydell/node-pty-darwin-${process.arch}/spawn-helper`);
}
