import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import type { StepMarker } from './child-env.ts';
import type { Kin } from './control-group.ts';
import { endProcessTree } from './end-tree.ts';
import { identify } from './identity.ts';
import type { ProcessEnd } from './outcome.ts';
import { begunAfter } from './process-table.ts';
import type { ProcessRequest } from './request.ts';
import type { StartedChild } from './start.ts';

/** Longer waits overflow a timer, which then fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A process that hangs inside the kernel cannot be waited for. */
const EXIT_PATIENCE_MS = 1000;

/** Returns when the process has ended, or has been ended with everything it started. */
export async function waitForEnd(
  started: StartedChild,
  request: ProcessRequest,
  onLeft: (what: string) => void = () => undefined,
): Promise<ProcessEnd> {
  const identity = identityOf(started.pid);
  const endTree = () => endStarted(started, identity, request.marker);
  try {
    request.onStarted?.(identity);
  } catch (error) {
    await endTree();
    throw error;
  }
  const decided = new AbortController();
  const end = await Promise.race([started.exit, interruption(request, decided.signal)]);
  decided.abort();
  if (end.kind === 'timed-out' || end.kind === 'cancelled') await endTree();
  else {
    const left = await endLeftBehind(identity, { ...request, kin: started.kin, began: started.began });
    if (left !== undefined) onLeft(left);
  }
  return end;
}

/**
 * Ends what a child that ended by itself has left running, and says so. Behind a wall the system does that, whatever
 * they did to hide, and is waited for.
 */
export async function endLeftBehind(
  identity: ProcessIdentity,
  { marker, cwd, wall, kin, began }: Pick<ProcessRequest, 'marker' | 'cwd' | 'wall'> & HasKin & HasBegun,
): Promise<string | undefined> {
  if (marker === undefined || (wall && !kin)) return undefined;
  // Where nothing keeps them together, who hides in the folder is taken for left behind.
  const whose = kin ? { members: () => kin.members() } : { folder: cwd };
  const ageMs = began === undefined ? Number.POSITIVE_INFINITY : performance.now() - began;
  if (begunAfter(identity.pid, ageMs) === 'nobody') {
    kin?.remove();
    return undefined;
  }
  const { ended, survivors } = await endProcessTree(identity, marker, { ended: true, ageMs, ...whose });
  kin?.remove();
  const gone =
    ended.length === 0
      ? []
      : [`ended what it left running: ${ended.length === 1 ? 'one process' : `${ended.length} processes`}`];
  const left = survivors.length === 0 ? [] : [`could not end what it left running: ${survivors.join(', ')}`];
  const said = [...gone, ...left];
  return said.length === 0 ? undefined : `\n[loopwright ${said.join('; ')}]\n`;
}

interface HasKin {
  readonly kin?: Kin | undefined;
}

type HasBegun = Partial<Pick<StartedChild, 'began'>>;

/** Also of a child that is gone already, which then has no start time that anybody could look up. */
export function identityOf(pid: number): ProcessIdentity {
  return identify(pid) ?? { pid, startTime: 'unknown', host: hostname() };
}

/** Ends a child with everything it started, and lets go of it even where it cannot be ended. */
export async function endStarted(
  { child, exit, kin }: Pick<StartedChild, 'child' | 'exit'> & HasKin,
  identity: ProcessIdentity,
  marker: StepMarker | undefined,
): Promise<void> {
  await endProcessTree(identity, marker, { members: kin && (() => kin.members()) });
  kin?.remove();
  child.kill('SIGKILL');
  await Promise.race([exit, sleep(EXIT_PATIENCE_MS, undefined, { ref: false })]);
  child.unref();
}

/** Resolves when the caller cancels or the time is up; `decided` lets go of both. */
function interruption(request: ProcessRequest, decided: AbortSignal): Promise<ProcessEnd> {
  const { cancel, timeoutMs } = request;
  return new Promise((resolve) => {
    const onCancel = () => resolve({ kind: 'cancelled' });
    if (cancel?.aborted) onCancel();
    cancel?.addEventListener('abort', onCancel, { signal: decided });
    if (timeoutMs === undefined) return;
    const onTimeout = () => resolve({ kind: 'timed-out', timeoutMs });
    const timer = setTimeout(onTimeout, Math.min(timeoutMs, LONGEST_TIMER_MS));
    decided.addEventListener('abort', () => clearTimeout(timer));
  });
}
