import type { Role } from '../config/runtime/settings.ts';
import { runTask, type TaskRuntime } from './run-task.ts';
import type { Claim, ClaimRequest, Release } from './scheduler/scheduler.ts';

export interface WorkOptions {
  readonly role: Role;
  /** How many tasks at once. */
  readonly concurrency: number;
  /** End when there is nothing to do, instead of waiting for more. */
  readonly once: boolean;
  /** Park at the next checkpoint, release, and end. */
  readonly stop: AbortSignal;
  /** Resolves when something may have become claimable, at the latest at `until`, or when stopped. */
  readonly idle: (until: number | undefined, stop: AbortSignal) => Promise<void>;
  readonly onIdle?: (until: number | undefined) => void;
}

/** Claims, runs, releases and idles until it is stopped. Gives how many runs ended in which state. */
export async function work(
  runtime: TaskRuntime,
  options: WorkOptions,
): Promise<Map<Release['state'], number>> {
  const { stop, concurrency, once } = options;
  const ended = new Map<Release['state'], number>();
  const running = new Set<Promise<void>>();
  const wake = new Wake();
  while (!stop.aborted) {
    const claims = await claimFor(runtime, options, concurrency - running.size);
    for (const claim of claims) {
      const run = workOff(runtime, claim, stop, ended).finally(() => {
        running.delete(run);
        wake.now();
      });
      running.add(run);
    }
    if (claims.length > 0 && running.size < concurrency) continue;
    if (running.size === 0 && once) break;
    await wait(runtime, options, running.size, wake);
  }
  await Promise.all(running);
  return ended;
}

/** One claim per free place, together: several at once share one commit. */
async function claimFor(runtime: TaskRuntime, options: WorkOptions, places: number): Promise<Claim[]> {
  const asked = Array.from({ length: places }, () => runtime.scheduler.claim(requestOf(runtime, options)));
  return (await Promise.all(asked)).flatMap((claim) => claim ?? []);
}

function requestOf({ settings }: TaskRuntime, { role }: WorkOptions): ClaimRequest {
  return {
    agentId: settings.id,
    role,
    agents: [settings.agents[role]],
    mode: settings.repository.mode,
    leaseMs: settings.leaseMs,
  };
}

async function workOff(
  runtime: TaskRuntime,
  claim: Claim,
  stop: AbortSignal,
  ended: Map<Release['state'], number>,
): Promise<void> {
  runtime.tell({ task: claim.task.id, type: 'task.claimed', claim });
  const release = await runTask(runtime, claim, stop);
  if (release) ended.set(release.state, (ended.get(release.state) ?? 0) + 1);
}

/** A task that ends frees a place, and whatever waited for it. With no place free only that is waited for. */
async function wait(runtime: TaskRuntime, options: WorkOptions, busy: number, wake: Wake): Promise<void> {
  const settled = new AbortController();
  const signal = AbortSignal.any([options.stop, settled.signal]);
  const full = busy >= options.concurrency;
  const until = full ? undefined : await runtime.scheduler.nextWake();
  if (busy === 0) options.onIdle?.(until);
  await Promise.race([full ? stopped(signal) : options.idle(until, signal), wake.next()]);
  settled.abort();
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Remembers that something ended, also while nobody was waiting for it. */
class Wake {
  #pending = false;
  #wake: (() => void) | undefined;

  now(): void {
    this.#pending = true;
    this.#wake?.();
  }

  async next(): Promise<void> {
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#pending = false;
    this.#wake = undefined;
  }
}
