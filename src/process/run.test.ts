import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../kernel/mask.ts';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import { identify, isAlive } from './identity.ts';
import type { ProcessRequest } from './request.ts';
import { runProcess } from './run.ts';

const fake = (name: string) => fileURLToPath(new URL(`../../test/fake-agents/${name}.mjs`, import.meta.url));
const nodeRuns = (name: string, ...args: string[]) => [process.execPath, fake(name), ...args];
const baseEnv = { PATH: process.env['PATH'], HOME: '/nowhere' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lw-run-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function run(argv: readonly string[], more: Partial<ProcessRequest> = {}) {
  return runProcess({
    argv,
    cwd: folder,
    env: baseEnv,
    masker: createMasker([]),
    streams: 'merged',
    ...more,
  });
}

describe('a program that ends', () => {
  it('gives its exit code and its output', async () => {
    const outcome = await run(nodeRuns('answer', 'out', 'err', '3'));
    expect(outcome).toMatchObject({ kind: 'exited', code: 3, output: { text: 'outerr', bytes: 6 } });
  });

  it('WRK-06 keeps the order of writing across both streams', async () => {
    const outcome = await run(nodeRuns('interleave', '20000'));
    expect(outcome.output.text).toBe(Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join(''));
  });

  it('keeps the streams apart when asked to', async () => {
    const outcome = await run(nodeRuns('answer', 'out', 'err'), { streams: 'separate' });
    expect(outcome).toMatchObject({ output: { text: 'out' }, errors: { text: 'err' } });
  });

  it('tells the signal that killed it', async () => {
    const outcome = await run([process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")']);
    expect(outcome).toMatchObject({ kind: 'killed', signal: 'SIGKILL' });
  });

  it('gets its input, and may also ignore it', async () => {
    const read = await run(nodeRuns('tell', '--stdin'), { input: 'héllo' });
    expect(JSON.parse(read.output.text)).toMatchObject({ input: 'héllo' });
    const ignored = await run(nodeRuns('answer', 'x'), { input: 'y'.repeat(5_000_000) });
    expect(ignored).toMatchObject({ kind: 'exited', code: 0, output: { text: 'x' } });
  });

  it('CMD-01 is started without a shell', async () => {
    const outcome = await run(['echo', '$HOME', '*.ts', ';', 'ls']);
    expect(outcome.output.text).toBe('$HOME *.ts ; ls\n');
  });

  it('sees only the given environment, the marker and the tools of its folder first', async () => {
    const outcome = await run(nodeRuns('tell'), {
      env: { ...baseEnv, A: '1' },
      marker: { session: 'S', step: 4 },
    });
    const { env, cwd } = JSON.parse(outcome.output.text);
    expect(cwd).toBe(folder);
    expect(env).toMatchObject({ A: '1', LOOPWRIGHT_SESSION: 'S', LOOPWRIGHT_STEP: '4' });
    expect(env.PATH.startsWith(`${join(folder, 'node_modules', '.bin')}:`)).toBe(true);
    expect(Object.keys(env).sort()).toEqual(['A', 'HOME', 'LOOPWRIGHT_SESSION', 'LOOPWRIGHT_STEP', 'PATH']);
  });
});

describe('a program that cannot be started', () => {
  it('WRK-09 is an outcome with the system error', async () => {
    const outcome = await run(['no-such-binary']);
    expect(outcome).toMatchObject({ kind: 'not-started', error: { code: 'ENOENT' } });
  });

  it('names the folder when that is what is missing', async () => {
    const outcome = await run(['echo'], { cwd: join(folder, 'gone') });
    expect(outcome).toMatchObject({
      kind: 'not-started',
      error: { code: 'ENOENT', message: expect.stringContaining('gone') },
    });
  });

  it.each([
    ['an empty command', []],
    ['a NUL in an argument', ['echo', 'a\0b']],
    ['a folder', ['/']],
  ])('holds for %s', async (_, argv) => {
    expect((await run(argv)).kind).toBe('not-started');
  });

  it('holds for a file that is not executable', async () => {
    await writeFile(join(folder, 'plain'), 'text', { mode: 0o644 });
    const outcome = await run([join(folder, 'plain')]);
    expect(outcome).toMatchObject({ kind: 'not-started', error: { code: 'EACCES' } });
  });
});

describe('a program that is stopped', () => {
  it('returns timed out after a process that ignores SIGTERM is gone', async () => {
    let identity: ProcessIdentity | undefined;
    const outcome = await run(nodeRuns('hang', '--ignore-term'), {
      timeoutMs: 400,
      onStarted: (started) => {
        identity = started;
      },
    });
    expect(outcome).toMatchObject({ kind: 'timed-out', timeoutMs: 400 });
    expect(identity && isAlive(identity)).toBe(false);
  });

  it('keeps what it wrote before it was cancelled, and ends at once when it heeds SIGTERM', async () => {
    const cancel = new AbortController();
    const outcome = await run(nodeRuns('hang'), {
      cancel: cancel.signal,
      onText: (text) => {
        if (text.includes('ready')) cancel.abort();
      },
    });
    expect(outcome).toMatchObject({ kind: 'cancelled', output: { text: 'ready\n' } });
  });

  it('does not start at all when cancelled before', async () => {
    let started = false;
    const onStarted = () => {
      started = true;
    };
    const outcome = await run(nodeRuns('hang'), { cancel: AbortSignal.abort(), onStarted });
    expect(outcome.kind).toBe('cancelled');
    expect(started).toBe(false);
  });

  it('takes children along, also one that left the group and ignores SIGTERM', async () => {
    const cancel = new AbortController();
    let text = '';
    let child: ProcessIdentity | undefined;
    const outcome = await run(nodeRuns('leave-child', '--escape', '--stay', '--ignore-term'), {
      cancel: cancel.signal,
      marker: { session: `escape-${process.pid}`, step: 1 },
      onText: (more) => {
        text += more;
        const pid = /child (\d+)\n/.exec(text)?.[1];
        if (pid === undefined) return;
        child = identify(Number(pid));
        cancel.abort();
      },
    });
    expect(outcome.kind).toBe('cancelled');
    expect(child && isAlive(child)).toBe(false);
  });

  it('ends the program when the caller fails to record it', async () => {
    let identity: ProcessIdentity | undefined;
    const onStarted = (started: ProcessIdentity) => {
      identity = started;
      throw new Error('disk full');
    };
    await expect(run(nodeRuns('hang'), { onStarted })).rejects.toThrow('disk full');
    expect(identity && isAlive(identity)).toBe(false);
  });
});

describe('output', () => {
  it('does not wait for a grandchild that keeps it open', async () => {
    const outcome = await run(nodeRuns('leave-child', '--hold'));
    expect(outcome).toMatchObject({ kind: 'exited', code: 0 });
    // The grandchild would stay for ten minutes.
    expect(outcome.durationMs).toBeLessThan(300_000);
    const pid = Number(/child (\d+)/.exec(outcome.output.text)?.[1]);
    expect(identify(pid)).toBeDefined();
    process.kill(pid, 'SIGKILL');
  });

  it('loses nothing of what was written before the exit, even when we were stalled and the end never comes', async () => {
    const script = 'sleep 600 & echo "child $!"; head -c 150000 /dev/zero | tr "\\\\0" x';
    const outcome = await run(['sh', '-c', script], {
      onStarted: () => {
        const until = performance.now() + 700;
        while (performance.now() < until);
      },
    });
    const [, pid, rest] = /^child (\d+)\n(x*)$/.exec(outcome.output.text) ?? [];
    process.kill(Number(pid), 'SIGKILL');
    expect(rest).toHaveLength(150_000);
  });

  it('joins characters that were cut between chunks, and marks a half one', async () => {
    const outcome = await run(nodeRuns('half-utf8'));
    expect(outcome.output.text).toBe('<🙂é>\uFFFD');
  });

  it('is complete in a private log file and in the outcome up to the limit', async () => {
    const logFile = join(folder, 'logs', 'full.log');
    const outcome = await run(nodeRuns('flood', '3'), { logFile });
    expect(outcome.output).toMatchObject({ bytes: 3 * 1024 * 1024, truncated: false });
    expect(await readFile(logFile, 'utf8')).toBe(outcome.output.text);
    expect((await stat(logFile)).mode & 0o777).toBe(0o600);
  });

  it('of 200 MB is in the log file, while memory stays flat', async () => {
    const logFile = join(folder, 'full.log');
    const before = process.memoryUsage().rss;
    let highest = 0;
    const outcome = await run(nodeRuns('flood', '200', '1'), {
      logFile,
      onText: () => {
        highest = Math.max(highest, process.memoryUsage.rss());
      },
    });
    expect(outcome).toMatchObject({ kind: 'exited', code: 1 });
    expect(outcome.output).toMatchObject({ bytes: 200 * 1024 * 1024, truncated: true });
    expect((await stat(logFile)).size).toBe(200 * 1024 * 1024);
    const { text } = outcome.output;
    expect(text.length).toBeLessThan(4.1 * 1024 * 1024);
    expect(text.startsWith('line 0000000000 ')).toBe(true);
    expect(text.trimEnd().endsWith('x')).toBe(true);
    expect(text).toContain(`the full log is ${logFile}`);
    expect(text).toContain(`line ${String((200 * 1024 * 1024) / 64 - 1).padStart(10, '0')} `);
    // All of it would be 200 MiB; how much of it waits to be collected depends on the machine.
    expect(highest - before).toBeLessThan(180 * 1024 * 1024);
  });

  it('is masked everywhere', async () => {
    const logFile = join(folder, 'full.log');
    let live = '';
    const outcome = await run(nodeRuns('answer', 'key=hunter2-hunter2;', 'hunter2-hunter2'), {
      masker: createMasker(['hunter2-hunter2']),
      logFile,
      onText: (text) => {
        live += text;
      },
    });
    expect(outcome.output).toMatchObject({ text: 'key=***;***', masked: true });
    expect(live).toBe('key=***;***');
    expect(await readFile(logFile, 'utf8')).toBe('key=***;***');
  });

  it('survives a log file that cannot be written', async () => {
    const device = await run(nodeRuns('flood', '1'), { logFile: '/dev/full', inlineLimit: 1000 });
    expect(device).toMatchObject({ kind: 'exited', code: 0 });
    expect(device.output.text).toContain('/dev/full is incomplete: /dev/full is a device');
    // A regular file that takes no such text: the write itself fails.
    const logFile = `/proc/${process.pid}/oom_score_adj`;
    if (existsSync(logFile)) {
      const refused = await run(nodeRuns('flood', '1'), { logFile, inlineLimit: 1000 });
      expect(refused).toMatchObject({ kind: 'exited', code: 0 });
      expect(refused.output.text).toContain(`${logFile} is incomplete: EINVAL`);
    }
    const nowhere = await run(nodeRuns('answer', 'x'), { logFile: '/proc/no/such.log' });
    expect(nowhere).toMatchObject({ kind: 'exited', code: 0, output: { text: 'x' } });
  });
});
