import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { identify } from '../../process/identity.ts';
import { newHolder, tryLockFile } from '../../process/lock-file.ts';
import { LOCK_MARKER } from './lock-context.ts';
import { acquire, clearDeadLockFiles, RepositoryBusyError, withRepoLock } from './repo-lock.ts';

let commonDir: string;
let lock: string;
beforeEach(() => {
  commonDir = mkdtempSync(join(tmpdir(), 'lw-lock-'));
  lock = join(commonDir, 'loopwright.lock');
});
afterEach(() => rmSync(commonDir, { recursive: true, force: true }));

const DEAD: ProcessIdentity = { ...identify(process.pid)!, startTime: 'long ago' };
const holder = (token: string, owner: ProcessIdentity) =>
  JSON.stringify({ token, owner, since: 0, purpose: 'adding the worktree x' });

describe('the repository lock', () => {
  it('B-01 lets one piece of work in at a time, in order, and leaves nothing behind', async () => {
    const order: string[] = [];
    const work = (name: string) =>
      withRepoLock({ commonDir }, async () => {
        order.push(`${name} in`);
        await Promise.resolve();
        expect(existsSync(lock)).toBe(true);
        order.push(`${name} out`);
      });
    await Promise.all([work('a'), work('b'), work('c')]);
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
    expect(readdirSync(commonDir)).toEqual([]);
  });

  it('goes straight on inside itself, and is free after a failure', async () => {
    const failing = withRepoLock({ commonDir }, () =>
      withRepoLock({ commonDir }, () => Promise.reject(new Error('no'))),
    );
    await expect(failing).rejects.toThrow('no');
    expect(await withRepoLock({ commonDir }, () => Promise.resolve(1))).toBe(1);
  });

  it('a lock that was freed while we looked at it is tried again, however short the wait', async () => {
    const attempts = [false, false, true];
    const attempt = async () =>
      attempts.shift() ? ({ won: true } as const) : ({ won: false, holder: undefined } as const);
    await expect(acquire(attempt, 0)).resolves.toBeUndefined();
    expect(attempts).toEqual([]);
  });

  it('takes over from a dead process', async () => {
    writeFileSync(lock, holder('dead', DEAD));
    expect(await withRepoLock({ commonDir }, () => Promise.resolve(readdirSync(commonDir)))).toEqual([
      'loopwright.lock',
    ]);
    expect(readdirSync(commonDir)).toEqual([]);
  });

  it('names the living holder when it gives up, and does not touch the lock', async () => {
    writeFileSync(lock, holder('other', identify(process.ppid)!));
    const failing = withRepoLock({ commonDir }, () => Promise.resolve(), { waitMs: 0 });
    await expect(failing).rejects.toThrow(RepositoryBusyError);
    await expect(failing).rejects.toThrow(`process ${process.ppid}`);
    await expect(failing).rejects.toThrow('adding the worktree x');
    expect(readdirSync(commonDir)).toEqual(['loopwright.lock']);
  });

  it.each(['', '{', 'by hand'])('a lock file with %j in it counts as held', async (text) => {
    writeFileSync(lock, text);
    await expect(withRepoLock({ commonDir }, () => Promise.resolve(), { waitMs: 0 })).rejects.toThrow(
      RepositoryBusyError,
    );
  });

  it('of many that find the same dead holder one wins', async () => {
    for (let round = 0; round < 25; round++) {
      writeFileSync(lock, holder(`dead${round}`, DEAD));
      const takers = Array.from({ length: 8 }, () =>
        tryLockFile(lock, newHolder('x'), ({ owner }) => owner.startTime === 'long ago'),
      );
      const won = (await Promise.all(takers)).filter((attempt) => attempt.won);
      expect(won).toHaveLength(1);
      rmSync(lock);
    }
  });

  it('takes over when the one that took over died too', async () => {
    writeFileSync(lock, holder('dead', DEAD));
    writeFileSync(`${lock}.take-dead`, holder('dead2', DEAD));
    expect(await withRepoLock({ commonDir }, () => Promise.resolve(1))).toBe(1);
    expect(readdirSync(commonDir)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('waits for the git that a killed process left running', async () => {
    const git = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 1000)'], {
      env: { ...process.env, [LOCK_MARKER]: 'dead' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((resolve) => git.stdout.once('data', resolve));
    writeFileSync(lock, holder('dead', DEAD));
    await expect(withRepoLock({ commonDir }, () => Promise.resolve(), { waitMs: 0 })).rejects.toThrow(
      RepositoryBusyError,
    );
    git.kill('SIGKILL');
    await new Promise((resolve) => git.once('exit', resolve));
    expect(await withRepoLock({ commonDir }, () => Promise.resolve(1))).toBe(1);
  });

  it('clears what killed processes left beside it', async () => {
    writeFileSync(`${lock}.abc`, holder('abc', DEAD));
    writeFileSync(`${lock}.take-old`, holder('old', DEAD));
    await clearDeadLockFiles(commonDir);
    expect(readdirSync(commonDir)).toEqual([]);
  });
});
