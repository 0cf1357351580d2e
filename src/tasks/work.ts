import type { Release } from '../backlog/release.ts';
import type { Claim, ClaimRequest } from '../backlog/scheduler.ts';
import type { Role } from '../config/runtime/settings.ts';
import { errorMessage } from '../kernel/errors.ts';
import { runTask, type TaskRuntime } from './run-task.ts';
import { patiently } from './runtime/patience.ts';
import { Presence } from './runtime/presence.ts';

/** How long a database that cannot be written is asked again before the runtime gives up. */
const CLAIM_PATIENCE_MS = 60_000;

/** How often it is looked whether more may be used. */
const CAPPED_MS = 60_000;

export interface WorkOptions {
  readonly role: Role;
  /** How many tasks at once. */
  readonly concurrency: number;
  /** End when there is nothing to do, instead of waiting for more. */
  readonly once: boolean;
  /** Park at the next checkpoint, release, and end. */
  readonly stop: AbortSignal;
  readonly onIdle?: (until: number | undefined) => void;
}

/** How many runs ended in which state; `let go`: cancelled, taken over, or not to be run here after all. */
export type Ended = Map<Release['state'] | 'let go', number>;

/** Claims, runs, releases and idles until it is stopped. Gives how many runs ended in which state. */
export async function work(runtime: TaskRuntime, options: WorkOptions): Promise<Ended> {
  const { stop, concurrency, once } = options;
  const ended: Ended = new Map();
  const running = new Set<Promise<void>>();
  const wake = new Wake();
  const { id: name, leaseMs } = runtime.settings;
  const entering = () => Presence.enter(runtime.runtimes, { name, role: options.role, leaseMs });
  const presence = await patiently(entering, CLAIM_PATIENCE_MS);
  const stopping = (): void => presence.now('stopping');
  stop.addEventListener('abort', stopping);
  try {
    while (!stop.aborted) {
      const places = concurrency - running.size;
      await patiently(runtime.tidy, CLAIM_PATIENCE_MS);
      const claims = await patiently(() => claimFor(runtime, options, places), CLAIM_PATIENCE_MS);
      for (const claim of claims) {
        const run = workOff(runtime, claim, stop, ended).finally(() => {
          running.delete(run);
          if (running.size === 0 && !stop.aborted) presence.now('idle');
          wake.now();
        });
        running.add(run);
      }
      presence.now(running.size > 0 ? 'busy' : 'idle');
      if (claims.length > 0 && running.size < concurrency) continue;
      if (running.size === 0 && once) break;
      await wait(runtime, options, running.size, wake);
    }
  } finally {
    // Also when nothing more can be claimed: what runs is brought to its end.
    await Promise.all(running);
    stop.removeEventListener('abort', stopping);
    await presence.leave();
  }
  return ended;
}

/** One claim per free place, together: several at once share one commit. What was claimed is never dropped. */
async function claimFor(runtime: TaskRuntime, options: WorkOptions, places: number): Promise<Claim[]> {
  if ((await runtime.spending?.full()) !== undefined) return [];
  const asked = Array.from({ length: places }, () => runtime.scheduler.claim(requestOf(runtime, options)));
  const answers = await Promise.allSettled(asked);
  const claims = answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : []));
  const refused = answers.find((answer) => answer.status === 'rejected');
  if (refused && claims.length === 0) throw refused.reason;
  return claims;
}

function requestOf({ settings }: TaskRuntime, { role }: WorkOptions): ClaimRequest {
  const most = settings.lanes[role];
  return {
    agentId: settings.id,
    role,
    agents: [settings.agents[role]],
    mode: settings.repository.mode,
    leaseMs: settings.leaseMs,
    ...(most === undefined ? {} : { most }),
    areas: settings.areas,
  };
}

async function workOff(runtime: TaskRuntime, claim: Claim, stop: AbortSignal, ended: Ended): Promise<void> {
  const task = claim.task.id;
  runtime.tell({ task, type: 'task.claimed', claim });
  try {
    const release = await runTask(runtime, claim, stop);
    const word = release?.state ?? 'let go';
    ended.set(word, (ended.get(word) ?? 0) + 1);
  } catch (error) {
    // Its lease runs out now, and whoever takes it over finds how far it came; the others are not harmed.
    runtime.tell({ task, type: 'task.skipped', reason: `it could not be recorded: ${errorMessage(error)}` });
  }
}

/** A task that ends frees a place, and whatever waited for it. With no place free only that is waited for. */
async function wait(runtime: TaskRuntime, options: WorkOptions, busy: number, wake: Wake): Promise<void> {
  const settled = new AbortController();
  const signal = AbortSignal.any([options.stop, settled.signal]);
  const full = busy >= options.concurrency;
  const next = full ? undefined : await runtime.scheduler.nextWake();
  // What is due may not run then, and a person may raise the cap at any time.
  const capped = !full && (await runtime.spending?.full()) !== undefined;
  const until = capped ? Date.now() + CAPPED_MS : next;
  if (busy === 0) options.onIdle?.(until);
  await Promise.race([full ? stopped(signal) : runtime.scheduler.changed(until, signal), wake.next()]);
  settled.abort();
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Remembers that something ended, even while nobody was waiting for it. */
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
