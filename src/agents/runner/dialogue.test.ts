import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../adapter.ts';
import { definedAdapter } from '../definition/defined-adapter.ts';
import { definitionShape } from '../definition/shape.ts';
import { type AgentOutcome, OutcomeFold } from '../run-agent.ts';
import { launchOf, WatchedRun } from './testing.ts';

/** An agent as a project describes it in a file: it is talked to in ACP. */
function dialogue(settings: AgentSettings, ...options: string[]): WatchedRun {
  const definition = definitionShape.parse({
    metadata: { displayName: 'Mine' },
    binary: { command: '{node}' },
    modes: {
      dialogue: {
        args: [...launchOf('acp').args, ...options],
        stream: 'acp',
        settings: { permissions: { ask: {}, edits: {} } },
      },
    },
  });
  const Mine = definedAdapter('mine', definition, '/');
  return new WatchedRun('headless', new Mine({ name: 'mine', cwd: '/', ...settings }));
}

async function outcome(run: WatchedRun): Promise<AgentOutcome> {
  const end = await run.finish('do it');
  const fold = new OutcomeFold();
  for (const event of run.events) fold.add(event);
  return fold.end(run.runner, end);
}

describe('a dialogue with an agent', () => {
  it('ADP-05 opens the session, hands the prompt over as a message, and ends with the result', async () => {
    expect(await outcome(dialogue({}))).toMatchObject({
      ok: true,
      text: 'I was told: do it',
      end: { kind: 'exited', code: 0 },
      conversation: { id: 's-1' },
    });
  });

  it('does not let it wait for an answer to what we do not know', async () => {
    const { ok, text } = await outcome(dialogue({}, '--request', 'fs/write_text_file'));
    expect(text).toContain('fs/write_text_file gave {"code":-32601');
    expect(ok).toBe(true);
  });

  it.each(['initialize', 'session/new', 'session/prompt'])(
    'that dies at %s has crashed with its exit code',
    async (method) => {
      const { ok, error, end } = await outcome(dialogue({}, '--die-at', method));
      expect(end).toMatchObject({ kind: 'exited', code: 3 });
      expect(ok).toBe(false);
      expect(error).toMatchObject({ kind: 'crash', message: expect.stringContaining('code 3') as string });
    },
  );

  it.each(['initialize', 'session/new', 'session/prompt'])(
    'that refuses %s is told its reason, and it ends',
    async (method) => {
      const { ok, error, end } = await outcome(dialogue({}, '--refuse', method));
      expect(end).toMatchObject({ kind: 'exited', code: 0 });
      expect({ ok, error }).toMatchObject({ ok: false, error: { kind: 'auth' } });
    },
  );

  it('STG-14 asks several things at a time; each answer goes to its question', async () => {
    const run = dialogue({ permissions: 'ask' }, '--ask', '2');
    const answers = ['reject', 'yes'];
    run.runner.events.subscribe((event) => {
      if (event.type !== 'interaction') return;
      expect(() => run.runner.answer('perhaps')).toThrow('none of the choices');
      run.runner.answer(answers.shift() ?? '');
    });
    const { ok, text, denied } = await outcome(run);
    expect(run.interactions.map(({ question, source }) => [question, source])).toEqual([
      ['The agent wants to use tool t1: tool t1', 'stream'],
      ['The agent wants to use tool t2: tool t2', 'stream'],
    ]);
    expect(text).toBe('. t1 no. t2 once');
    expect(denied).toEqual([{ tool: 'tool t1', reason: 'A person denied it.' }]);
    // A tool succeeded after the one that was denied.
    expect(ok).toBe(true);
  });

  it('is refused what it wants where nobody is asked, and so it is not ok', async () => {
    const { ok, text, denied } = await outcome(dialogue({ permissions: 'edits' }, '--ask', '1'));
    expect(text).toContain('t1 no');
    expect(denied).toEqual([{ tool: 'tool t1', reason: 'Nobody is there to allow it.' }]);
    expect(ok).toBe(false);
  });
});
