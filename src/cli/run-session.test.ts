import { expect, test } from 'vitest';
import type { WorkerFunction } from '../manifest/worker.ts';
import { Orchestrator } from '../orchestrator/orchestrator.ts';
import { SessionManager } from '../orchestrator/state/session-manager.ts';
import { findProject } from '../project/place.ts';
import { makeStyle } from './display/style.ts';
import type { Screen } from './output.ts';
import { runSession } from './run-session.ts';

const MANIFEST = { Main: { entry_block: 'Work', blocks: { Work: { worker: 'Agent', transitions: [] } } } };

function recorder(): { screen: Screen; said: string[] } {
  const said: string[] = [];
  const say = (text = ''): void => void said.push(text);
  const style = makeStyle(false);
  const screen: Screen = {
    style,
    errorStyle: style,
    color: false,
    debug: false,
    live: false,
    interactive: false,
    columns: 100,
    failure: undefined,
    line: say,
    text: async (text) => say(text),
    error: say,
    json: (value) => say(JSON.stringify(value)),
    onClosed: () => () => undefined,
  };
  return { screen, said };
}

/** Parks on its first run, as an agent with a spent quota does. */
function parksOnce(ms: number): WorkerFunction {
  let runs = 0;
  return (context, run) => {
    if (++runs === 1) run.park(new Date(Date.now() + ms), 'the quota is spent');
    return { signal: 'SIGNAL:SUCCESS', new_payload: context.execution_payload };
  };
}

async function run(options: { wait: boolean; json: boolean; parkMs: number }) {
  const { screen, said } = recorder();
  const sessions = SessionManager.inMemory();
  const orchestrator = new Orchestrator(MANIFEST, {
    workers: { Agent: parksOnce(options.parkMs) },
    sessions,
  });
  const given = {
    screen,
    orchestrator,
    sessions,
    ...options,
    project: findProject(),
    announce: () => undefined,
  };
  const { exitCode } = await runSession(given, (engine) => engine.execute('Main', { goal: 'go' }));
  return { exitCode, said: said.join('\n') };
}

test('a parked session shows when it goes on, and goes on by itself', async () => {
  const { exitCode, said } = await run({ wait: true, json: false, parkMs: 30 });
  expect(exitCode).toBe(0);
  expect(said).toMatch(/Parked until .*; going on by itself in \d+ ms/);
  expect(said).toContain('completed in 1 step');
});

test('with --no-wait a parked session ends with code 2 and says how to go on', async () => {
  const { exitCode, said } = await run({ wait: false, json: false, parkMs: 3_600_000 });
  expect(exitCode).toBe(2);
  expect(said).toMatch(/parked until[^]*the quota is spent[^]*resume /);
});

test('as JSON nothing but events and one result is written', async () => {
  const { exitCode, said } = await run({ wait: true, json: true, parkMs: 30 });
  const lines = said.split('\n').map((line) => JSON.parse(line) as { type: string });
  expect(exitCode).toBe(0);
  expect(lines.map(({ type }) => type)).toEqual([
    'session.started',
    'step.started',
    'session.parked',
    'session.continued',
    'step.started',
    'step.finished',
    'session.completed',
    'result',
  ]);
});
