import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMasker } from '../../kernel/mask.ts';
import { identify, isAlive } from '../../process/identity.ts';
import { fakeAgent, launchOf, WatchedRun } from './testing.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lw-agent-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

describe('output of a headless agent', () => {
  it('PTY-05 it has no terminal', async () => {
    const run = new WatchedRun('headless', fakeAgent('terminal'));
    await run.runner.start();
    await run.says('isTTY');
    expect(JSON.parse(run.clean)).toMatchObject({ isTTY: false });
    run.runner.send('quit\n');
    await expect(run.runner.ended).resolves.toMatchObject({ kind: 'exited', code: 0 });
  });

  it('ADP-05 where the prompt is an argument, nothing is written to its input at the start', async () => {
    const script =
      'let input = ""; process.stdin.on("data", (text) => { input += text }); process.stdin.on("end", () => console.log(JSON.stringify({ argv: process.argv.slice(1), input })))';
    const adapter = fakeAgent('any', [], {
      getLaunchConfig: (_mode, prompt = '') => ({
        command: process.execPath,
        args: ['-e', script, '--', prompt],
        closeStdin: true,
      }),
    });
    const run = new WatchedRun('headless', adapter);
    const sent = vi.spyOn(run.runner, 'send');
    await run.finish('do it');
    expect(JSON.parse(run.clean)).toEqual({ argv: ['do it'], input: '' });
    expect(sent).not.toHaveBeenCalled();
  });

  it('PTY-06 PTY-07 OUT-01 both streams give raw and clean text, and the adapter gets the same strings', async () => {
    const seen: [string, string][] = [];
    const ends: unknown[] = [];
    const adapter = fakeAgent('answer', ['\u001b[31mout\u001b[0m\n', 'err\r\n', '3'], {
      onOutput: (raw, clean) => seen.push([raw, clean]),
      onExit: (end) => ends.push(end),
    });
    const run = new WatchedRun('headless', adapter);
    const end = await run.finish();
    const data = run.events.filter((event) => event.type === 'data');
    expect(data.find(({ stream }) => stream === 'stdout')).toMatchObject({
      raw: '\u001b[31mout\u001b[0m\n',
      clean: 'out\n',
    });
    expect(data.find(({ stream }) => stream === 'stderr')).toMatchObject({ raw: 'err\r\n', clean: 'err\n' });
    expect(seen).toEqual(data.map(({ raw, clean }) => [raw, clean]));
    expect(end).toMatchObject({ kind: 'exited', code: 3 });
    expect(ends).toEqual([end]);
    expect(run.events.at(-1)).toEqual({ type: 'exit', end });
  });

  it('PTY-09 sequences that arrive in pieces leave no trace in the clean text', async () => {
    const run = new WatchedRun('headless', fakeAgent('half-sequence'));
    await run.finish();
    expect(run.clean).toBe('aRedb\nc');
    expect(run.raw).toContain('\u001b[31mRed\u001b[0m\u001b]0;title\u001b\\b\r\n');
  });

  it('joins characters that were cut in two', async () => {
    const run = new WatchedRun('headless', fakeAgent('half-utf8'));
    await run.finish();
    expect(run.clean).toBe('<🙂é>\uFFFD');
  });

  it('OUT-02 nothing is printed on our own streams', async () => {
    const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const run = new WatchedRun('headless', fakeAgent('flood', ['1']));
    await run.finish();
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    expect(run.clean).toHaveLength(1024 * 1024);
  });

  it('a secret is in no text and not in the log, whether cut in pieces or broken up by colours', async () => {
    const secret = 'hunter2-hunter2';
    const logFile = join(folder, 'agent.log');
    const pieces = [
      '<hunter2-',
      'hunter2>',
      '<hunt\\e[31mer2-hun\\e[0mter2>',
      '<\\e[1mhunter2-hunter2\\e[0m>',
    ];
    for (const stream of ['stdout', 'stderr']) {
      const run = new WatchedRun('headless', fakeAgent('pieces', [stream, ...pieces]), {
        masker: createMasker([secret]),
        logFile,
      });
      await run.finish();
      expect(run.clean).toBe('<***><***><***>');
      const log = await readFile(logFile, 'utf8');
      for (const text of [run.raw, log, run.runner.tail(), JSON.stringify(run.events)]) {
        expect(text).not.toContain(secret);
      }
      expect(log).toBe(run.raw);
      expect((await stat(logFile)).mode & 0o777).toBe(0o600);
    }
  });

  it('its tail is the bounded end, in whole lines', async () => {
    const run = new WatchedRun('headless', fakeAgent('flood', ['1']));
    await run.finish();
    const tail = run.runner.tail();
    expect(run.clean.endsWith(tail)).toBe(true);
    expect(tail).toMatch(/^line 0/);
    expect(tail.length).toBeGreaterThan(60 * 1024);
    expect(tail.length).toBeLessThanOrEqual(64 * 1024);
    await expect(run.runner.screen()).resolves.toBe(tail);
  });
});

describe('input of a headless agent', () => {
  it('PTY-08 what is sent arrives on its standard input', async () => {
    const run = new WatchedRun('headless', fakeAgent('echo'));
    await run.runner.start();
    run.runner.send('Ping\n');
    await run.says('Pong');
    run.runner.send('x\n');
    await run.says('[x]');
    await run.runner.stop();
  });

  it('PTY-08 is at its end from the start where the adapter says so', async () => {
    const adapter = { name: 'echo', getLaunchConfig: () => ({ ...launchOf('echo'), closeStdin: true }) };
    const run = new WatchedRun('headless', adapter);
    await run.runner.start();
    expect(() => run.runner.send('Ping\n')).toThrow('closed');
    await expect(run.runner.ended).resolves.toMatchObject({ kind: 'exited', code: 0 });
  });

  it('cannot be sent before the start nor after the end', async () => {
    const run = new WatchedRun('headless', fakeAgent('answer'));
    expect(() => run.runner.send('x')).toThrow('not running yet');
    await run.finish();
    expect(() => run.runner.send('x')).toThrow('has ended');
  });
});

describe('start of a headless agent', () => {
  it('a second one throws', async () => {
    const run = new WatchedRun('headless', fakeAgent('answer'));
    await run.finish();
    expect(() => run.runner.start()).toThrow('started before');
  });

  it('that fails is reported to the adapter and rejects', async () => {
    const errors: Error[] = [];
    const adapter = {
      name: 'none',
      getLaunchConfig: () => ({ command: 'no-such-program', args: [] }),
      onError: (error: Error) => errors.push(error),
    };
    const run = new WatchedRun('headless', adapter);
    await expect(run.runner.start()).rejects.toMatchObject({ code: 'ENOENT' });
    expect(errors).toHaveLength(1);
    await run.runner.stop();
  });

  it('does not happen when it was cancelled before', async () => {
    const run = new WatchedRun('headless', fakeAgent('hang'), { cancel: AbortSignal.abort(new Error('no')) });
    await expect(run.runner.start()).rejects.toThrow('no');
  });

  it('gives it the environment: ours, the adapter\u2019s over it, the task\u2019s over both, and the marker', async () => {
    const env = { A: 'adapter', B: 'adapter' };
    const adapter = { name: 'tell', getLaunchConfig: () => ({ ...launchOf('tell'), env }) };
    const run = new WatchedRun('headless', adapter, {
      cwd: folder,
      env: { PATH: process.env['PATH'], A: 'ours', B: 'ours', C: 'ours' },
      taskEnv: { B: 'task' },
      marker: { session: 'S', step: 2 },
    });
    await run.finish();
    const told = JSON.parse(run.clean);
    expect(told.cwd).toBe(folder);
    expect(told.env).toMatchObject({ A: 'adapter', B: 'task', C: 'ours', LOOPWRIGHT_SESSION: 'S' });
    expect(told.env.HOME).toBeUndefined();
  });

  it('writes the files of its launch first, for us alone', async () => {
    const path = join(folder, 'deep', 'prompt.md');
    const files = [{ path, content: 'do it' }];
    const adapter = { name: 'files', getLaunchConfig: () => ({ ...launchOf('answer'), files }) };
    await new WatchedRun('headless', adapter).finish();
    await expect(readFile(path, 'utf8')).resolves.toBe('do it');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('end of a headless agent', () => {
  it('stop ends one that ignores SIGTERM; a second stop does nothing', async () => {
    const run = new WatchedRun('headless', fakeAgent('hang', ['--ignore-term']));
    const identity = await run.runner.start();
    await run.says('ready');
    await run.runner.stop();
    expect(isAlive(identity)).toBe(false);
    await expect(run.runner.ended).resolves.toMatchObject({ kind: 'stopped' });
    await run.runner.stop();
  });

  it('stop while it is starting waits for the start', async () => {
    const run = new WatchedRun('headless', fakeAgent('hang'));
    const started = run.runner.start();
    await run.runner.stop();
    expect(isAlive(await started)).toBe(false);
  });

  it('its owner\u2019s signal stops it', async () => {
    const cancel = new AbortController();
    const run = new WatchedRun('headless', fakeAgent('hang'), { cancel: cancel.signal });
    const identity = await run.runner.start();
    cancel.abort();
    await expect(run.runner.ended).resolves.toMatchObject({ kind: 'stopped' });
    expect(isAlive(identity)).toBe(false);
  });

  it('takes along a child that left the group and ignores SIGTERM', async () => {
    const run = new WatchedRun('headless', fakeAgent('leave-child', ['--escape', '--stay', '--ignore-term']));
    await run.runner.start();
    await run.says(/child \d+\n/);
    const child = identify(Number(/child (\d+)/.exec(run.clean)?.[1]));
    expect(child && isAlive(child)).toBe(true);
    await run.runner.stop();
    expect(child && isAlive(child)).toBe(false);
  });

  it('is not delayed by a child that keeps the output open', async () => {
    const run = new WatchedRun('headless', fakeAgent('leave-child', ['--hold']));
    const end = await run.finish();
    expect(end).toMatchObject({ kind: 'exited', code: 0 });
    // The child would stay for ten minutes.
    expect(end.durationMs).toBeLessThan(300_000);
    process.kill(Number(/child (\d+)/.exec(run.clean)?.[1]), 'SIGKILL');
  });

  it('at a time limit, of all or of silence, is one', async () => {
    const long = new WatchedRun('headless', fakeAgent('hang'), { timeoutMs: 300 });
    const silent = new WatchedRun('headless', fakeAgent('hang'), { silenceMs: 300, timeoutMs: 60_000 });
    await expect(long.finish()).resolves.toMatchObject({ kind: 'timed-out', limit: 'total', afterMs: 300 });
    await expect(silent.finish()).resolves.toMatchObject({
      kind: 'timed-out',
      limit: 'silence',
      afterMs: 300,
    });
  });

  it('by a signal is reported as such', async () => {
    const adapter = {
      name: 'killed',
      getLaunchConfig: () => ({ command: 'sh', args: ['-c', 'kill -9 $$'] }),
    };
    await expect(new WatchedRun('headless', adapter).finish()).resolves.toMatchObject({
      kind: 'killed',
      signal: 'SIGKILL',
    });
  });
});
