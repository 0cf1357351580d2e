import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdapterOptions, ExecutionMode } from '../../adapter.ts';
import type { AgentEvent } from '../../event.ts';
import { AdapterRegistry } from '../../registry/registry.ts';
import { eventsOf, usedTokens, usedUsd } from '../stream/testing.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'scripted-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function script(content: object): string {
  const file = join(cwd, 'script.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

interface Played {
  readonly events: readonly AgentEvent[];
  readonly code: number | null;
  readonly output: string;
}

/** Starts the player as a runner would, and answers what it asks. */
async function play(
  file: string | undefined,
  more: {
    settings?: Partial<AdapterOptions>;
    answer?: string;
    prompt?: string;
    mode?: ExecutionMode;
    env?: { [name: string]: string };
    killAfterText?: boolean;
  } = {},
): Promise<Played> {
  const { mode = 'headless', prompt = 'go', answer } = more;
  const adapter = new AdapterRegistry().create('scripted', { name: 'x', cwd, ...more.settings });
  const extra = file === undefined ? [] : ['--script', file];
  const { command, args, env } = adapter.getLaunchConfig(mode, prompt, extra);
  const stream = adapter.openStream?.(mode);
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env, ...more.env } });
  if (answer === undefined) child.stdin.end();
  const events: AgentEvent[] = [];
  let [output, rest] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (mode === 'interactive') {
      if (text.endsWith('answer> ')) child.stdin.write(`${answer}\n`);
      if (text.endsWith('task> ')) child.stdin.end();
      return;
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const event of lines.flatMap((line) => stream?.push(line, 'stdout') ?? [])) {
      events.push(event);
      if (event.type === 'text' && more.killAfterText) child.kill('SIGKILL');
      if (event.type === 'asked' && answer !== undefined)
        child.stdin.write(stream?.answer?.(event.id, answer));
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) events.push(...(stream?.push(line, 'stderr') ?? []));
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.on('close', (...end) => done(end)),
  );
  const durationMs = 1;
  events.push(
    ...(stream?.end(
      code === null
        ? { kind: 'killed', signal: signal ?? '', durationMs }
        : { kind: 'exited', code, durationMs },
    ) ?? []),
  );
  return { events, code, output };
}

describe('the scripted agent, headless', () => {
  it('says, writes, edits, deletes and counts', async () => {
    const file = script({
      steps: [
        { say: 'hello' },
        { write: { path: 'sub/a.txt', content: 'one two' } },
        { edit: { path: 'sub/a.txt', find: 'two', replace: '$& three' } },
        { write: { path: 'gone.txt', content: '' } },
        { delete: 'gone.txt' },
        { usage: { input: 10, cached: 4, output: 2, usd: 0.5 } },
        { say: 'done' },
      ],
    });
    const { events, code } = await play(file);
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, 'sub/a.txt'), 'utf8')).toBe('one $& three');
    expect(existsSync(join(cwd, 'gone.txt'))).toBe(false);
    expect(eventsOf(events, 'file').map(({ change }) => change)).toEqual([
      'added',
      'changed',
      'added',
      'removed',
    ]);
    expect(usedTokens(events)).toEqual({ input: 10, cached: 4, output: 2 });
    expect(usedUsd(events)).toBe(0.5);
    expect(events.at(-1)).toEqual({ type: 'result', ok: true, text: 'done' });
  });

  it('asks on the stream and uses the answer; without one it fails', async () => {
    const file = script({
      steps: [{ ask: { question: 'Colour?', choices: ['red', 'blue'] } }, { say: 'took {{answer}}' }],
    });
    const { events } = await play(file, { answer: 'blue' });
    expect(eventsOf(events, 'asked')[0]).toMatchObject({ question: 'Colour?', choices: ['red', 'blue'] });
    expect(events.at(-1)).toMatchObject({ ok: true, text: 'took blue' });
    expect((await play(file)).events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('asks before it writes with permissions "ask", and a denied run is not ok', async () => {
    const file = script({ steps: [{ write: { path: 'a.txt', content: 'x' } }, { say: 'wrote it' }] });
    const denied = await play(file, { settings: { permissions: 'ask' }, answer: 'No' });
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
    expect(denied.events.at(-1)).toEqual({ type: 'result', ok: false, text: 'wrote it', blocked: true });
    const allowed = await play(file, { settings: { permissions: 'ask' }, answer: 'Yes' });
    expect(allowed.events.at(-1)).toMatchObject({ ok: true });
  });

  it('plays the next turn when its conversation is continued', async () => {
    const file = script({ turns: [[{ say: 'first' }], [{ say: 'second' }], [{ say: 'third' }]] });
    const first = await play(file);
    const again = async (from: Played) => {
      const { id } = eventsOf(from.events, 'session')[0]!;
      return play(file, { settings: { resume: { id } } });
    };
    const second = await again(first);
    const third = await again(second);
    expect([first, second, third].map(({ events }) => eventsOf(events, 'text')[0]?.text)).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('chooses a turn by the prompt, and its script by the prompt as well', async () => {
    const file = script({ turns: [{ when: 'review', steps: [{ say: 'reviewed' }] }, [{ say: 'built' }]] });
    expect((await play(file, { prompt: 'please review' })).events.at(-1)).toMatchObject({ text: 'reviewed' });
    expect((await play(undefined, { prompt: `script: ${file}` })).events.at(-1)).toMatchObject({
      text: 'built',
    });
    expect((await play(undefined, { prompt: '--help' })).events.at(-1)).toMatchObject({ ok: true });
  });

  it('takes its script from the environment, and hangs until it is ended', async () => {
    const env = { LOOPWRIGHT_SCRIPT: script({ steps: [{ say: 'by variable' }] }) };
    expect((await play(undefined, { env })).events.at(-1)).toMatchObject({ text: 'by variable' });
    const hanging = play(script({ steps: [{ say: 'soon' }, { hang: true }] }), { killAfterText: true });
    expect((await hanging).events).toMatchObject([
      { type: 'session' },
      { type: 'text', text: 'soon' },
      { type: 'error', kind: 'crash' },
      { type: 'result', ok: false },
    ]);
  });

  it.each([
    [{ quota: { resetAt: '2030-01-01T00:00:00Z' } }, { kind: 'quota', resetAt: Date.UTC(2030, 0, 1) }, 1],
    [{ auth: true }, { kind: 'auth' }, 1],
    [{ fail: { exitCode: 7, message: 'no' } }, { kind: 'refused', message: 'no' }, 7],
    [{ crash: true }, { kind: 'crash' }, null],
    [{ dance: true }, { kind: 'crash', message: expect.stringContaining('must be one of say') as string }, 2],
  ])('fails as the script says: %j', async (step, error, exitCode) => {
    const { events, code } = await play(script({ steps: [{ say: 'begin' }, step] }));
    expect(code).toBe(exitCode);
    expect(eventsOf(events, 'error')).toMatchObject([error]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('floods without losing its result', async () => {
    const { events } = await play(script({ steps: [{ flood: { lines: 20_000 } }, { say: 'still here' }] }));
    expect(events.at(-1)).toMatchObject({ ok: true, text: 'still here' });
  });
});

describe('the scripted agent, interactive', () => {
  it('asks, answers and waits for the next task on the screen', async () => {
    const file = script({
      steps: [{ ask: { question: 'Sure?', choices: ['yes', 'no'] } }, { say: 'you said {{answer}}' }],
    });
    const { output, code } = await play(file, { mode: 'interactive', answer: '2' });
    expect(output).toContain('? Sure?\r\n  1. yes\r\n  2. no\r\nanswer> ');
    expect(output).toContain('you said no');
    expect(output.endsWith('task> ')).toBe(true);
    expect(code).toBe(0);
    const { screen } = new AdapterRegistry().create('scripted', { name: 'x', cwd });
    const question = 'hello\n? Sure?\n  1. yes\n  2. no\nanswer>';
    expect(screen?.interactions.find(({ pattern }) => pattern.test(question))?.name).toBe('question');
    expect(screen?.idle.some((pattern) => pattern.test('hello\ntask>'))).toBe(true);
    expect(screen?.idle.some((pattern) => pattern.test('task>\nhello\n[working]'))).toBe(false);
    expect(screen?.working.some((pattern) => pattern.test('hello\n[working]'))).toBe(true);
  });
});
