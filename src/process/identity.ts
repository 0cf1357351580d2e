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

/** `unknown`: it ran on another host or in another container, which nobody here can look into. */
export function processState(
  identity: ProcessIdentity,
  table: ProcessTable = systemProcesses,
): 'alive' | 'gone' | 'unknown' {
  if (identity.host !== hostname()) return 'unknown';
  const [was, here] = [incarnation(identity.startTime), incarnation(ownStartTime(table))];
  if (was && here && was.boot !== here.boot)
    return was.machine !== '' && was.machine === here.machine ? 'gone' : 'unknown';
  if (was && here && was.namespace !== here.namespace) return 'unknown';
  const row = table.row(identity.pid);
  if (row === undefined || isEndedState(row.state)) return 'gone';
  return isSameStart(row.startTime, identity.startTime) ? 'alive' : 'gone';
}

function ownStartTime(table: ProcessTable): string {
  return table === systemProcesses ? ownIdentity().startTime : (table.row(process.pid)?.startTime ?? '');
}

/** Earlier versions noted no more than the start of the machine and the ticks since. */
function isSameStart(now: string, noted: string): boolean {
  return now === noted || now.startsWith(`${noted}:`);
}

/**
 * The list of processes that a start time belongs to. Two containers may have one host name, and the same pid in both
 * means nothing. Undefined where the system does not tell, and in what earlier versions noted.
 */
function incarnation(
  startTime: string,
): { readonly [part in 'boot' | 'machine' | 'namespace']: string } | undefined {
  const [, boot, machine, namespace] = /^([^:]+):\d+:([^/]*)\/(.*)$/.exec(startTime) ?? [];
  if (boot === undefined || machine === undefined || namespace === undefined) return undefined;
  return { boot, machine, namespace };
}

/** Where it cannot be known the answer is yes: two owners of one session are worse than asking a person. */
export function isAlive(identity: ProcessIdentity, table: ProcessTable = systemProcesses): boolean {
  return processState(identity, table) !== 'gone';
}

/** A zombie has closed everything it held; X is the instant after. */
export function isEndedState(state: string): boolean {
  return state === 'Z' || state === 'X';
}
