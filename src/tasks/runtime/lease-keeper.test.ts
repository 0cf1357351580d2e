import { describe, expect, it, onTestFinished } from 'vitest';
import type { Claim } from '../../backlog/scheduler.ts';
import { StorageError } from '../../kernel/errors.ts';
import { LeaseKeeper } from './lease-keeper.ts';

const LEASE_MS = 6;

/** A keeper with a clock that is moved by hand, over a store that answers as told. */
function keeper(answer: () => Promise<boolean>) {
  const claim = { task: { id: 't' }, leaseMs: LEASE_MS } as Claim;
  let now = 0;
  const waiting: (() => void)[] = [];
  const renew = async (): Promise<boolean> => {
    for (const wake of waiting.splice(0)) wake();
    return answer();
  };
  const lease = new LeaseKeeper({ renew }, claim, () => now);
  onTestFinished(() => lease.stop());
  return {
    lease,
    pass: (ms: number) => {
      now += ms;
    },
    /** Resolves when the store was asked so often more. */
    beats: async (count: number): Promise<void> => {
      for (let beat = 0; beat < count; beat++)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
    },
  };
}

const lost = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const tell = (): void => resolve((signal.reason as Error).message);
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell);
  });

describe('keeping a lease', () => {
  it('a store that says no has lost it', async () => {
    const { lease } = keeper(() => Promise.resolve(false));
    await expect(lost(lease.lost)).resolves.toBe('the lease of task t is lost');
  });

  it('a store that cannot be reached keeps it as long as the lease lasts, and not longer', async () => {
    const { lease, pass, beats } = keeper(() => Promise.reject(new StorageError('it is locked')));
    pass(LEASE_MS - 1);
    await beats(3);
    expect(lease.lost.aborted).toBe(false);
    pass(1);
    await expect(lost(lease.lost)).resolves.toBe(
      'the lease of task t has run out: the store could not be reached',
    );
  });

  it('a store that can be reached again in time renews the lease', async () => {
    let reachable = false;
    const { lease, pass, beats } = keeper(() =>
      reachable ? Promise.resolve(true) : Promise.reject(new StorageError('it is locked')),
    );
    pass(LEASE_MS - 1);
    await beats(1);
    reachable = true;
    await beats(2);
    reachable = false;
    pass(LEASE_MS - 1);
    await beats(2);
    expect(lease.lost.aborted).toBe(false);
  });

  it('a store that never answers has lost it too when the lease has run out', async () => {
    const { lease, pass, beats } = keeper(() => new Promise(() => undefined));
    await beats(1);
    pass(LEASE_MS);
    await expect(lost(lease.lost)).resolves.toContain('could not be reached');
  });
});
