import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { plainEnvironment, ROOT } from './support.ts';

interface OnTerminal {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly columns?: number;
  /** What is typed, and what must have been shown before, in this order. */
  readonly replies?: readonly (readonly [shown: string | RegExp, typed: string])[];
}

/** Runs a command line on a terminal, as a person would who answers what it asks. */
export function onTerminal(
  args: readonly string[],
  { cwd, env = {}, columns = 200, replies = [] }: OnTerminal,
): Promise<{ readonly code: number; readonly text: string }> {
  const all = Object.entries({ ...plainEnvironment(), ...env });
  const terminal = spawn(process.execPath, [join(ROOT, 'dist/bin/loopwright.js'), ...args], {
    cwd,
    cols: columns,
    rows: 40,
    env: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
  });
  onTestFinished(() => {
    try {
      terminal.kill('SIGKILL');
    } catch {
      // It has ended.
    }
  });
  const open = [...replies];
  let text = '';
  let seen = 0;
  terminal.onData((piece) => {
    text += piece;
    const [next] = open;
    const fresh = text.slice(seen);
    if (!next || !(typeof next[0] === 'string' ? fresh.includes(next[0]) : next[0].test(fresh))) return;
    seen = text.length;
    open.shift();
    terminal.write(next[1]);
  });
  return new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, text }));
  });
}
