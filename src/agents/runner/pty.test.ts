import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMasker } from '../../kernel/mask.ts';
import { identify, isAlive } from '../../process/identity.ts';
import { fakeAgent, launchOf, WatchedRun } from './testing.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lw-pty-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

describe('an agent on a terminal', () => {
  it('PTY-01 has one of 80 to 30 and a known type, whatever we are on ourselves', async () => {
    const run = new WatchedRun('pty', fakeAgent('terminal'), {
      env: { PATH: process.env['PATH'], TERM: 'Display Name', COLUMNS: '7', LINES: '7', TMUX: 'x' },
    });
    await run.runner.start();
    await run.says('}\n');
    expect(JSON.parse(run.clean)).toEqual({ isTTY: true, columns: 80, rows: 30, term: 'xterm-256color' });
    run.runner.resize({ columns: 100, rows: 40 });
    await run.says('"columns":100,"rows":40');
    await run.runner.stop();
  });

  it('ADP-05 on a terminal nothing is typed at the start: all that it reads is what is sent later', async () => {
    const script =
      'process.stdin.setRawMode(true); console.log("ready"); process.stdin.once("data", (text) => { console.log(JSON.stringify({ argv: process.argv.slice(1), input: String(text) })); process.exit() })';
    const adapter = fakeAgent('any', [], {
      getLaunchConfig: (_mode, prompt = '') => ({
        command: process.execPath,
        args: ['-e', script, '--', prompt],
      }),
    });
    const run = new WatchedRun('pty', adapter);
    await run.runner.start('do it');
    await run.says('ready');
    run.runner.send('later');
    await run.runner.ended;
    expect(run.clean).toContain(JSON.stringify({ argv: ['do it'], input: 'later' }));
  });

  it('PTY-02 stays until it is stopped; a second stop does nothing', async () => {
    const run = new WatchedRun('pty', fakeAgent('echo'));
    const identity = await run.runner.start();
    await run.says('ready');
    // It has done what it was started for each time, and is there for more.
    for (let round = 1; round <= 20; round++) {
      run.runner.send(`round ${round}\n`);
      await run.says(`[round ${round}]`);
      expect(isAlive(identity)).toBe(true);
    }
    await run.runner.stop();
    expect(isAlive(identity)).toBe(false);
    await run.runner.stop();
    await expect(run.runner.ended).resolves.toMatchObject({ kind: 'stopped' });
  });

  it('PTY-03 hears what is sent; before the start sending throws', async () => {
    const run = new WatchedRun('pty', fakeAgent('echo'));
    expect(() => run.runner.send('Ping\r')).toThrow('not running yet');
    await run.runner.start();
    run.runner.send('Ping\r');
    await run.says('Pong');
    await run.runner.stop();
    expect(() => run.runner.send('Ping\r')).toThrow('has ended');
  });

  it('PTY-04 PTY-07 gives raw and clean text, to the adapter too, and its exit last', async () => {
    const seen: [string, string][] = [];
    const adapter = fakeAgent('answer', ['\u001b[31mRed\u001b[0m\n', '', '4'], {
      onOutput: (raw, clean) => seen.push([raw, clean]),
    });
    const run = new WatchedRun('pty', adapter);
    const end = await run.finish();
    expect([run.raw, run.clean]).toEqual(['\u001b[31mRed\u001b[0m\r\n', 'Red\n']);
    expect(seen.map(([raw]) => raw).join('')).toBe(run.raw);
    expect(end).toMatchObject({ kind: 'exited', code: 4 });
    expect(run.events.at(-1)).toEqual({ type: 'exit', end });
  });

  it('OUT-02 prints nothing on our own streams', async () => {
    const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const run = new WatchedRun('pty', fakeAgent('short', ['200000']));
    await run.finish();
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    expect(run.clean).toHaveLength(200_000);
  });

  it('loses nothing of its last words, however short it lives', async () => {
    const expected = (bytes: number) =>
      Array.from({ length: bytes / 10 }, (_, i) => `${String(i).padStart(9, '0')}\n`).join('');
    for (const bytes of [10, 5000, 20_000, 100_000]) {
      for (let round = 0; round < 10; round++) {
        const run = new WatchedRun('pty', fakeAgent('short', [String(bytes)]));
        await run.finish();
        expect(run.clean).toBe(expected(bytes));
      }
    }
  });

  it('shows no secret, not in raw or clean text, not in the log, not on the screen', async () => {
    const secret = 'hunter2-hunter2';
    const logFile = join(folder, 'pty.log');
    const pieces = ['stdout', '<hunter2-', 'hunter2>', '<hunt\\e[31mer2-hun\\e[0mter2>'];
    const run = new WatchedRun('pty', fakeAgent('pieces', pieces), {
      masker: createMasker([secret]),
      logFile,
    });
    await run.finish();
    expect(run.clean).toBe('<***><***>');
    const log = await readFile(logFile, 'utf8');
    expect(log).toBe(run.raw);
    for (const text of [run.raw, log, JSON.stringify(run.events), await run.runner.screen()]) {
      expect(text).not.toContain(secret);
    }
  });

  it('gets the replies of a terminal to its questions, even when a question comes in two pieces', async () => {
    const script = 'stty raw -echo; printf "ab\\033[6"; printf n; head -c 6 | od -c; stty sane';
    const adapter = { name: 'asks', getLaunchConfig: () => ({ command: 'sh', args: ['-c', script] }) };
    const run = new WatchedRun('pty', adapter);
    await run.finish();
    expect(run.clean.replaceAll(/\s+/g, ' ')).toContain('033 [ 1 ; 3 R');
  });

  it('is repainted for whoever joins', async () => {
    const { command, args } = launchOf(
      'pieces',
      'stdout',
      'gone\\e[2J\\e[H\\e[1;31mRed\\e[0m\r\n',
      'x\\e[5;10Hhere',
    );
    const run = new WatchedRun('pty', { name: 'paints', getLaunchConfig: () => ({ command, args }) });
    await run.finish();
    const screen = await run.runner.screen();
    expect(screen).toContain('\u001b[0;1;38;5;1mRed');
    expect(screen).not.toContain('gone');
    expect(screen.endsWith('\u001b[5;14H')).toBe(true);
  });
});

describe('an agent on a terminal that does not start', () => {
  it.each([
    ['a missing program', { command: 'no-such-program', args: [] }, 'ENOENT'],
    ['a missing path', { command: './no/such', args: [] }, 'ENOENT'],
    ['a folder', { command: '/tmp', args: [] }, 'EACCES'],
  ])('%s is told to the adapter and rejects', async (_, config, code) => {
    const errors: Error[] = [];
    const adapter = { name: 'none', getLaunchConfig: () => config, onError: (e: Error) => errors.push(e) };
    const run = new WatchedRun('pty', adapter);
    await expect(run.runner.start()).rejects.toMatchObject({ code });
    expect(errors).toHaveLength(1);
  });

  it('names the folder when that is missing', async () => {
    const run = new WatchedRun('pty', fakeAgent('hang'), { cwd: join(folder, 'gone') });
    await expect(run.runner.start()).rejects.toThrow('gone');
  });

  it('a second start throws', async () => {
    const run = new WatchedRun('pty', fakeAgent('answer'));
    await run.finish();
    expect(() => run.runner.start()).toThrow('started before');
  });
});

describe('the end of an agent on a terminal', () => {
  it('takes along one that ignores SIGTERM and a child that left the session', async () => {
    const run = new WatchedRun('pty', fakeAgent('leave-child', ['--escape', '--stay', '--ignore-term']));
    const identity = await run.runner.start();
    await run.says(/child \d+\n/);
    const child = identify(Number(/child (\d+)/.exec(run.clean)?.[1]));
    expect(child && isAlive(child)).toBe(true);
    await run.runner.stop();
    expect([identity, child].map((who) => who && isAlive(who))).toEqual([false, false]);
  });

  it('is not delayed by a child that keeps the terminal open', async () => {
    const run = new WatchedRun('pty', fakeAgent('leave-child', ['--hold', '--escape']));
    const end = await run.finish();
    expect(end).toMatchObject({ kind: 'exited', code: 0 });
    // The child would stay for ten minutes.
    expect(end.durationMs).toBeLessThan(300_000);
    process.kill(Number(/child (\d+)/.exec(run.clean)?.[1]), 'SIGKILL');
  });

  it('is reported as the signal that ended it', async () => {
    const adapter = {
      name: 'killed',
      getLaunchConfig: () => ({ command: 'sh', args: ['-c', 'kill -9 $$'] }),
    };
    await expect(new WatchedRun('pty', adapter).finish()).resolves.toMatchObject({
      kind: 'killed',
      signal: 'SIGKILL',
    });
  });

  it('comes at a time limit too', async () => {
    const run = new WatchedRun('pty', fakeAgent('hang'), { silenceMs: 300 });
    await expect(run.finish()).resolves.toMatchObject({ kind: 'timed-out', limit: 'silence' });
  });
});
