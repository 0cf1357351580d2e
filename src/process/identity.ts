import { hostname } from 'node:os';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import { type ProcessTable, systemProcesses } from './process-table.ts';

/** Undefined when there is no such process. */
export function identify(pid: number, table: ProcessTable = systemProcesses): ProcessIdentity | undefined {
  const row = table.row(pid);
  return row && { pid, startTime: row.startTime, host: hostname() };
}

let own: ProcessIdentity | undefined;

/** Looked up once: a process does not become another one. */
export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  own ??= identify(pid) ?? { pid, startTime: 'unknown', host: hostname() };
  return own;
}

/** `unknown`: it ran on another host, which nobody here can look into. */
export function processState(
  identity: ProcessIdentity,
  table: ProcessTable = systemProcesses,
): 'alive' | 'gone' | 'unknown' {
  if (identity.host !== hostname()) return 'unknown';
  const row = table.row(identity.pid);
  if (row === undefined || isEndedState(row.state)) return 'gone';
  return row.startTime === identity.startTime ? 'alive' : 'gone';
}

/** Where it cannot be known the answer is yes: two owners of one session are worse than asking a person. */
export function isAlive(identity: ProcessIdentity, table: ProcessTable = systemProcesses): boolean {
  return processState(identity, table) !== 'gone';
}

/** A zombie has closed everything it held; X is the instant after. */
export function isEndedState(state: string): boolean {
  return state === 'Z' || state === 'X';
}
