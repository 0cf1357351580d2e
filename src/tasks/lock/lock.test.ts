import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownIdentity } from '../../process/identity.ts';
import { takeLock } from './lock.ts';
import { type ClaimNotice, guardQueue } from './queue-guard.ts';

describe('runtime lock', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'lw-lock-')), 'locks');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  const dead = { ...ownIdentity(), startTime: 'of a process that is gone' };

  it('RUN-05 GRD-03 is held by one; names task, process, host and time; leaves nothing behind', async () => {
    const lock = await takeLock(folder, 'T1');
    expect(JSON.parse(readFileSync(join(folder, 'T1.lock'), 'utf8'))).toMatchObject({
      purpose: 'task T1',
      ...ownIdentity(),
      at: expect.stringMatching(/^\d{4}-/),
    });
    await expect(takeLock(folder, 'T1')).resolves.toBeUndefined();
    await expect(takeLock(folder, 'T2')).resolves.toBeDefined();
    await lock?.release();
    await lock?.release();
    expect(readdirSync(folder)).toEqual(['T2.lock']);
  });

  it('GRD-03 of a dead holder it is taken over, by exactly one of many', async () => {
    for (let round = 0; round < 20; round++) {
      await takeLock(folder, `T${round}`, { owner: dead });
      const taken = await Promise.all(Array.from({ length: 8 }, () => takeLock(folder, `T${round}`)));
      expect(taken.filter((lock) => lock !== undefined)).toHaveLength(1);
      expect(readdirSync(folder)).toEqual([`T${round}.lock`]);
      await taken.find((lock) => lock !== undefined)?.release();
    }
  });

  it('GRD-03 who died while taking over holds up nobody', async () => {
    await takeLock(folder, 'T', { owner: dead });
    const { token } = JSON.parse(readFileSync(join(folder, 'T.lock'), 'utf8'));
    await takeLock(folder, 'other', { owner: dead });
    renameSync(join(folder, 'other.lock'), join(folder, `T.lock.take-${token}`));
    await expect(takeLock(folder, 'T')).resolves.toBeDefined();
    expect(readdirSync(folder)).toEqual(['T.lock']);
  });

  it('a lock that an earlier version left behind is read and taken over', async () => {
    mkdirSync(folder);
    const old = { task: 'T', ...dead, at: '2026-01-01T00:00:00.000Z', nonce: 'a-b' };
    writeFileSync(join(folder, 'T.lock'), JSON.stringify(old));
    writeFileSync(join(folder, 'U.lock'), JSON.stringify({ ...old, ...ownIdentity() }));
    await expect(takeLock(folder, 'T')).resolves.toBeDefined();
    await expect(takeLock(folder, 'U')).resolves.toBeUndefined();
  });

  it.each(['', 'half a', '{"pid":"x"}', '[]'])(
    'GRD-03 what cannot be read counts as held: %o',
    async (text) => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'T.lock'), text);
      await expect(takeLock(folder, 'T')).resolves.toBeUndefined();
    },
  );

  it('GRD-03 of another host it counts as held; of a process whose lease was lost it does not', async () => {
    await takeLock(folder, 'far', { owner: { ...dead, host: 'elsewhere' } });
    await expect(takeLock(folder, 'far')).resolves.toBeUndefined();
    const stopped = await takeLock(folder, 'near');
    await expect(takeLock(folder, 'near', { lost: ownIdentity() })).resolves.toBeDefined();
    await stopped?.release();
    await expect(takeLock(folder, 'near')).resolves.toBeUndefined();
  });
});

describe('queue guard', () => {
  const minute = 60_000;
  it.each<[Partial<ClaimNotice>, string]>([
    [{}, 'run'],
    [{ state: 'done' }, 'skip'],
    [{ runActive: true }, 'skip'],
    [{ lockHeld: true, runActive: true, touchedAgoMs: 60 * minute }, 'skip'],
    [{ lockHeld: true, touchedAgoMs: 2 * minute - 1 }, 'rest'],
    [{ lockHeld: true, touchedAgoMs: 2 * minute }, 'requeue'],
    [{ addressedTo: 'bob' }, 'refuse'],
    [{ addressedTo: 'ann' }, 'run'],
  ])('GRD-04 %j: %s', (known, expected) => {
    const usual: ClaimNotice = {
      me: 'ann',
      state: 'queued',
      lockHeld: false,
      runActive: false,
      touchedAgoMs: 0,
    };
    expect(guardQueue({ ...usual, ...known }).do).toBe(expected);
  });
});
