import { afterEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../kernel/events.ts';
import { createMasker } from '../../kernel/mask.ts';
import type { AdapterSignal, AgentStream, ScreenPatterns } from '../adapter.ts';
import type { AgentEvent } from '../event.ts';
import { OpenQuestions } from '../interaction/open-questions.ts';
import { fakeAgent, launchOf, WatchedRun } from './testing.ts';
import { TimeLimits } from './time-limits.ts';

const screen: ScreenPatterns = {
  interactions: [
    { name: 'menu', pattern: /Do you want to/ },
    { name: 'yesno', pattern: /\[y\/N\]$/ },
  ],
  working: [],
  idle: [],
};

/** Whether the time of the run counts now; what its limits do with that has tests of its own. */
function watchedLimits(): () => boolean {
  const resumed = vi.spyOn(TimeLimits.prototype, 'resume');
  const suspended = vi.spyOn(TimeLimits.prototype, 'suspend');
  const last = (spy: typeof resumed) => spy.mock.invocationCallOrder.at(-1) ?? 0;
  return () => last(resumed) > last(suspended);
}

afterEach(() => vi.restoreAllMocks());

/** Reads lines that are events already. */
function eventLines(more: Partial<AgentStream> = {}): AgentStream {
  return {
    push: (line) => (line.startsWith('{') ? [JSON.parse(line) as AgentEvent] : []),
    end: (end) => [{ type: 'text', text: `ended: ${end.kind}` }],
    conversation: { id: 's1' },
    answer: (id, text) => `${id}=${text}\n`,
    ...more,
  };
}

describe('STG-14 a question on the screen', () => {
  it('of an agent on a terminal is reported once while it is on the screen, and again when it is asked again', async () => {
    const run = new WatchedRun('pty', fakeAgent('ask', ['2', '--menu'], { screen }));
    await run.runner.start();
    for (const [count, answer] of [
      [1, 'yes'],
      [2, '2'],
    ] as const) {
      await run.until(() => run.interactions.length === count);
      expect(run.interactions.at(-1)).toMatchObject({
        source: 'screen',
        question: 'Do you want to create w.txt?',
        choices: ['Yes', 'No'],
        payload: { state: 'menu' },
      });
      run.runner.answer(answer);
    }
    await expect(run.runner.ended).resolves.toMatchObject({ kind: 'exited', code: 0 });
    expect(run.clean).toContain('answer 1: 1');
    expect(run.clean).toContain('answer 2: 2');
    expect(run.interactions).toHaveLength(2);
  });

  it.each(['headless', 'pty'] as const)(
    'of a plain program is told and answered with a line (%s)',
    async (kind) => {
      const run = new WatchedRun(kind, fakeAgent('ask', ['2'], { screen }));
      await run.runner.start();
      for (const count of [1, 2]) {
        await run.until(() => run.interactions.length === count);
        run.runner.answer('y');
        await run.says(`answer ${count}: y`);
      }
      await run.runner.ended;
      expect(run.interactions.map(({ question }) => question)).toEqual([
        'Overwrite w.txt? [y/N]',
        expect.stringContaining('Overwrite w.txt? [y/N]'),
      ]);
    },
  );

  it('that was answered and is still to be read is not asked again', async () => {
    const looked: string[] = [];
    const working = Object.assign(/never/, {
      exec: (text: string) => {
        looked.push(text);
        return null;
      },
    });
    const patterns = { ...screen, working: [working] };
    const run = new WatchedRun('pty', fakeAgent('ask', ['1', '--then-quiet'], { screen: patterns }));
    await run.runner.start();
    await run.until(() => run.interactions.length === 1);
    run.runner.answer('y');
    await vi.waitUntil(() => looked.at(-1)?.includes('thinking'), { timeout: 600_000 });
    expect(run.interactions).toHaveLength(1);
    await run.runner.stop();
  });

  it('suspends the time limits until it is answered', async () => {
    const counting = watchedLimits();
    const run = new WatchedRun('headless', fakeAgent('ask', ['1'], { screen }), { timeoutMs: 600_000 });
    await run.runner.start();
    await run.until(() => run.interactions.length === 1);
    expect(counting()).toBe(false);
    run.runner.send('n\n');
    expect(counting()).toBe(true);
    await expect(run.runner.ended).resolves.toMatchObject({ kind: 'exited' });
  });
});

describe('STG-14 a question of the structured stream', () => {
  const adapter = (stream: AgentStream, ...args: string[]) =>
    fakeAgent('speak', args, { openStream: () => stream });

  it('is reported, answered on its channel, and the rest of the stream follows', async () => {
    const run = new WatchedRun('headless', adapter(eventLines()));
    await run.runner.start();
    await run.until(() => run.interactions.length === 1);
    expect(run.interactions[0]).toEqual({
      type: 'interaction',
      source: 'stream',
      question: 'May I?',
      choices: ['yes', 'no'],
      payload: { id: 'q1' },
    });
    run.runner.answer('yes');
    await run.runner.ended;
    const told = run.events.filter(({ type }) => type === 'agent' || type === 'usage');
    expect(told).toContainEqual({ type: 'agent', event: { type: 'text', text: 'from stderr' } });
    expect(told).toContainEqual({ type: 'agent', event: { type: 'text', text: 'heard q1=yes' } });
    expect(told).toContainEqual({
      type: 'usage',
      tokens: { input: 3, cached: 1, output: 2 },
      estimated: false,
    });
    expect(told.at(-2)).toEqual({ type: 'agent', event: { type: 'result', ok: true, text: 'done' } });
    expect(told.at(-1)).toEqual({ type: 'agent', event: { type: 'text', text: 'ended: exited' } });
    expect(run.runner.conversation).toEqual({ id: 's1' });
  });

  it('gets its opening first, and its input is closed after the result', async () => {
    const run = new WatchedRun('headless', adapter(eventLines({ opening: 'begin\n' }), '--serve'));
    await expect(run.finish()).resolves.toMatchObject({ kind: 'exited', code: 0 });
    expect(JSON.stringify(run.events)).toContain('heard begin');
  });

  it('hides no secret behind an escape', async () => {
    const secret = 'hunter2/hunter2';
    const line = JSON.stringify({ type: 'text', text: secret }).replace('/', '\\u002f');
    const run = new WatchedRun(
      'headless',
      fakeAgent('answer', [`${line}\n`], { openStream: () => eventLines() }),
      { masker: createMasker([secret]) },
    );
    await run.finish();
    expect(run.events).toContainEqual({ type: 'agent', event: { type: 'text', text: '***' } });
  });

  it('is read from its lines as they are: half of a badly encoded character is no sequence there', async () => {
    const line = '{"type":"text","text":"said \u00e2\u0080\u009dthis\u009f"}';
    const stream = eventLines();
    const run = new WatchedRun('headless', fakeAgent('answer', [`${line}\n`], { openStream: () => stream }));
    await run.finish();
    const event = { type: 'text', text: 'said \u00e2\u0080\u009dthis\u009f' };
    expect(run.events).toContainEqual({ type: 'agent', event });
  });

  it('among several is answered oldest first, and the clock stands until the last', () => {
    const changes: boolean[] = [];
    const open = new OpenQuestions((waiting) => changes.push(waiting));
    const told = { type: 'interaction', question: '', choices: [], payload: {} } as const;
    const interaction = { ...told, source: 'adapter' } as const;
    open.add({ source: 'stream', id: 'a', interaction });
    open.add({ source: 'stream', id: 'b', interaction });
    open.add({ source: 'adapter', interaction });
    open.add({ source: 'adapter', interaction });
    const taken = [open.oldest];
    open.dropOldest();
    taken.push(open.oldest);
    open.dropOldest();
    expect(taken).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    expect(changes).toEqual([true]);
    open.dropOldest();
    expect(changes).toEqual([true, false]);
  });

  it('is reported when its turn comes: an answer goes to the question that was shown', async () => {
    const ask = (id: string) =>
      JSON.stringify({ type: 'asked', id, question: `${id}?`, choices: [`yes ${id}`, `no ${id}`] });
    const lines = `${ask('q1')}\n${ask('q2')}\n`;
    const run = new WatchedRun(
      'headless',
      fakeAgent('echo', ['--first', lines], { openStream: () => eventLines() }),
    );
    await run.runner.start();
    await run.says('ready');
    await run.until(() => run.interactions.length === 1);
    expect(run.interactions.map(({ question }) => question)).toEqual(['q1?']);
    run.runner.answer('yes q1');
    await run.until(() => run.interactions.length === 2);
    expect(run.interactions[1]).toMatchObject({ question: 'q2?', choices: ['yes q2', 'no q2'] });
    run.runner.answer('no q2');
    await run.says('[q2=no q2]');
    expect(run.clean).toContain('[q1=yes q1]');
    await run.runner.stop();
  });

  it('that the agent withdraws is over, and the time runs on', async () => {
    const asked = '{"type":"asked","id":"q1","question":"?","choices":[]}';
    const lines = `${asked}\n{"type":"withdrawn","id":"q1"}\n`;
    const run = new WatchedRun(
      'headless',
      fakeAgent('echo', ['--first', lines], { openStream: () => eventLines() }),
      { timeoutMs: 600_000 },
    );
    const counting = watchedLimits();
    await run.runner.start();
    await run.until(() => run.events.some(({ type }) => type === 'interaction.over'));
    expect(counting()).toBe(true);
    await run.runner.stop();
    const types = run.events.map(({ type }) => type).filter((type) => type.startsWith('interaction'));
    expect(types).toEqual(['interaction', 'interaction.over']);
  });

  it('whose reader throws is reported as an error, once, and the run continues', async () => {
    const broken = eventLines({
      push: () => {
        throw new Error('what is this');
      },
    });
    const run = new WatchedRun('headless', fakeAgent('answer', ['a\nb\n'], { openStream: () => broken }));
    await expect(run.finish()).resolves.toMatchObject({ kind: 'exited', code: 0 });
    expect(run.events.filter(({ type }) => type === 'agent')).toEqual([
      {
        type: 'agent',
        event: { type: 'error', kind: 'crash', message: expect.stringContaining('what is this') },
      },
    ]);
  });
});

describe('STG-14 an interaction that the adapter signals', () => {
  it.each<[string, AdapterSignal, string]>([
    ['interaction_needed', { type: 'interaction_needed', payload: { question: 'Q?', choices: ['a'] } }, 'Q?'],
    ['interactionNeeded', { type: 'interactionNeeded', payload: { message: 'M' } }, 'M'],
    ['a state with the word', { type: 'state_changed', state: 'Interaction-Pending' }, ''],
  ])('%s is told in both modes', async (_, signal, question) => {
    for (const kind of ['headless', 'pty'] as const) {
      const signals = new Emitter<AdapterSignal>();
      const run = new WatchedRun(kind, {
        name: 'echo',
        getLaunchConfig: () => launchOf('echo'),
        signals,
      });
      await run.runner.start();
      await run.says('ready');
      signals.emit({ type: 'state_changed', state: 'working' });
      signals.emit(signal);
      expect(run.interactions).toMatchObject([{ source: 'adapter', question }]);
      run.runner.answer('fine');
      await run.says('[fine]');
      await run.runner.stop();
      signals.emit(signal);
      expect(run.interactions).toHaveLength(1);
    }
  });
});
