import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import type { StepMarker } from './child-env.ts';
import { endProcessTree } from './end-tree.ts';
import { identify } from './identity.ts';
import type { ProcessEnd } from './outcome.ts';
import type { ProcessRequest } from './request.ts';
import type { StartedChild } from './start.ts';

/** Longer waits overflow a timer, which then fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A process that hangs inside the kernel cannot be waited for. */
const EXIT_PATIENCE_MS = 1000;

/** Returns when the process has ended, or has been ended with everything it started. */
export async function waitForEnd(started: StartedChild, request: ProcessRequest): Promise<ProcessEnd> {
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
  else await endLeftBehind(identity, request);
  return end;
}

/**
 * Ends what a child that ended by itself has left running, and says so. Behind a wall the system has done that
 * already, whatever they did to hide.
 */
export async function endLeftBehind(
  identity: ProcessIdentity,
  { marker, cwd, wall, onText }: Pick<ProcessRequest, 'marker' | 'cwd' | 'wall' | 'onText'>,
): Promise<void> {
  if (wall || marker === undefined) return;
  const { ended, survivors } = await endProcessTree(identity, marker, { ended: true, folder: cwd });
  const gone = ended.length === 0 ? [] : [`ended what it left running: ${ended.length} processes`];
  const left = survivors.length === 0 ? [] : [`could not end what it left running: ${survivors.join(', ')}`];
  for (const line of [...gone, ...left]) onText?.(`\nloopwright ${line}\n`);
}

/** Also of a child that is gone already, which then has no start time that anybody could look up. */
export function identityOf(pid: number): ProcessIdentity {
  return identify(pid) ?? { pid, startTime: 'unknown', host: hostname() };
}

/** Ends a child with everything it started, and lets go of it even where it cannot be ended. */
export async function endStarted(
  { child, exit }: Pick<StartedChild, 'child' | 'exit'>,
  identity: ProcessIdentity,
  marker: StepMarker | undefined,
): Promise<void> {
  await endProcessTree(identity, marker);
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
