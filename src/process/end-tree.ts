import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../kernel/errors.ts';
import { EPOCH_MARKER, SESSION_MARKER, STEP_MARKER, type StepMarker, TASK_MARKER } from './child-env.ts';
import { isEndedState } from './identity.ts';
import { begunAfter, type ProcessRow, type ProcessTable, systemProcesses } from './process-table.ts';

export interface EndedTree {
  /** Every process that was signalled and is gone now. */
  readonly ended: readonly number[];
  /** What not even SIGKILL ended in time: it hangs inside the kernel or became another user's. */
  readonly survivors: readonly number[];
}

export interface EndTreeOptions {
  /** How long they may tidy up after SIGTERM. */
  readonly graceMs?: number;
  readonly table?: ProcessTable;
  /** The root was ours and has ended: its group is still its own, unless somebody else has its number by now. */
  readonly ended?: boolean;
  /** Where the root worked: who hides there without a parent, and began after it, was left behind by it. */
  readonly folder?: string;
  /** Who is in the group of the system's that the root was put into. */
  readonly members?: (() => ReadonlySet<number>) | undefined;
  /** How long ago the root began: where nobody can have got a lower number since, only higher ones are looked at. */
  readonly ageMs?: number;
}

type Root = { readonly pid: number; readonly startTime: string };

const TERM_GRACE_MS = 2000;
const KILL_PATIENCE_MS = 3000;
const KILL_ROUND_MS = 50;
const POLL_MS = 10;

/**
 * Ends a process, its group and, on Linux, whatever it started that left the group: those still carry the
 * marker in their environment. Elsewhere environments are not readable, so such a child stays, and so does a
 * group whose leader is gone already; the first holds everywhere for a child with an emptied environment.
 */
export async function endProcessTree(
  root: Root,
  marker: StepMarker | undefined,
  options: EndTreeOptions = {},
): Promise<EndedTree> {
  const { graceMs = TERM_GRACE_MS, table = systemProcesses } = options;
  const living = watchTree(root, marker, table, options);
  const signalled = new Set<number>();
  signalAll(living(), 'SIGTERM', root.pid, signalled);
  let left = await untilGone(living, graceMs);
  const giveUp = performance.now() + KILL_PATIENCE_MS;
  // Repeated, because a process can start another one between being listed and being killed.
  while (left.length > 0 && performance.now() < giveUp) {
    signalAll(left, 'SIGKILL', root.pid, signalled);
    left = await untilGone(living, KILL_ROUND_MS);
  }
  const survivors = left.map((row) => row.pid);
  return { ended: [...signalled].filter((pid) => !survivors.includes(pid)), survivors };
}

/** Kills the same processes in one round and waits for nothing: for a process that is about to end itself. */
export function killProcessTree(root: Root, marker: StepMarker | undefined, table = systemProcesses): void {
  signalAll(watchTree(root, marker, table)(), 'SIGKILL', root.pid, new Set());
}

async function untilGone(living: () => ProcessRow[], timeoutMs: number): Promise<ProcessRow[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const left = living();
    if (left.length === 0 || performance.now() >= deadline) return left;
    await sleep(POLL_MS);
  }
}

/**
 * A group number is only trusted once its leader was seen with the recorded start time; the system does not
 * give it to anybody else while the group has members. Otherwise the marker alone decides. What was recognised
 * once stays so until it has ended: the environment of a process that is ending can no longer be read.
 */
function watchTree(
  root: Root,
  marker: StepMarker | undefined,
  table: ProcessTable,
  { ended = false, folder, members, ageMs = Number.POSITIVE_INFINITY }: EndTreeOptions = {},
): () => ProcessRow[] {
  let trusted = false;
  // With the root itself, whose group is only trusted if nobody else is at its head by now.
  const above = begunAfter(root.pid, ageMs) === 'anybody' ? 0 : root.pid - 1;
  const known = new Set<string>();
  const isOurs = (row: ProcessRow): boolean => {
    if (trusted && row.group === root.pid) return true;
    if (folder !== undefined && isStray(row, root, folder, table)) return true;
    return marker !== undefined && carries(table.environment(row.pid), marker);
  };
  return () => {
    const grouped = members?.();
    const rows = table.rows(above).filter((row) => row.pid !== process.pid);
    const leader = rows.find((row) => row.pid === root.pid);
    trusted ||= leader ? leader.startTime === root.startTime : ended;
    return rows.filter((row) => {
      if (isEndedState(row.state)) return false;
      const identity = `${row.pid} ${row.startTime}`;
      if (!known.has(identity) && grouped?.has(row.pid) !== true && !isOurs(row)) return false;
      known.add(identity);
      return true;
    });
  };
}

/**
 * Left without a parent in the folder of the root, since the root began, and with an environment that somebody has
 * emptied: a program that a person leaves running there has theirs.
 */
function isStray(row: ProcessRow, root: Root, folder: string, table: ProcessTable): boolean {
  if (row.parent !== 1 || !isLater(row.startTime, root.startTime)) return false;
  const at = table.folder(row.pid);
  if (at === undefined || (at !== folder && !at.startsWith(`${folder}/`))) return false;
  const environment = table.environment(row.pid);
  return environment !== undefined && !/(?:^|\0)(?:HOME|USER|TERM)=/.test(environment);
}

/** Ticks since the same start of the machine. */
function isLater(time: string, than: string): boolean {
  const [boot, ticks] = time.split(':');
  const [otherBoot, otherTicks] = than.split(':');
  return boot === otherBoot && Number(ticks) >= Number(otherTicks);
}

function carries(environment: string | undefined, marker: StepMarker): boolean {
  if (environment === undefined) return false;
  const entries = `\0${environment}`;
  const says = (name: string, value: string | number | undefined) =>
    value === undefined || entries.includes(`\0${name}=${value}\0`);
  return (
    says(SESSION_MARKER, marker.session) &&
    says(EPOCH_MARKER, marker.epoch) &&
    says(STEP_MARKER, marker.step) &&
    says(TASK_MARKER, marker.task)
  );
}

function signalAll(
  rows: readonly ProcessRow[],
  signal: NodeJS.Signals,
  group: number,
  signalled: Set<number>,
): void {
  // At once for the whole group, so none of its members can start another one in between. A number below 2
  // names no group of a child: 0 would be our own, -1 everybody.
  if (group > 1 && rows.some((row) => row.group === group)) send(-group, signal);
  for (const row of rows) {
    if ((group > 1 && row.group === group) || send(row.pid, signal)) signalled.add(row.pid);
  }
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}
