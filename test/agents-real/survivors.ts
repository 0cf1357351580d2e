import { readdirSync, readFileSync } from 'node:fs';
import { SESSION_MARKER } from '../../src/process/child-env.ts';

/** The processes of a run that still live, by its marker in their environment. Linux only: elsewhere none is seen. */
export function survivorsOf(run: string): string[] {
  return pids().flatMap((pid) => {
    const environment = read(`/proc/${pid}/environ`);
    if (!environment.split('\0').includes(`${SESSION_MARKER}=${run}`)) return [];
    return [`${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`];
  });
}

function pids(): string[] {
  return process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
}

/** Empty for one that is gone by now: processes end while we look. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
