import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { WorkerFunction } from '../manifest/worker.ts';
import { Orchestrator } from '../orchestrator/orchestrator.ts';
import { openAt } from '../project/open.ts';
import { openProject } from '../project/project.ts';
import { startSession } from '../project/runs/handle.ts';
import { createCli } from './cli.ts';
import { makeStyle } from './display/style.ts';
import { followRun } from './follow-run.ts';
import type { Screen } from './output.ts';

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true });
});

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
    width: 100,
    failure: undefined,
    line: say,
    verbatim: say,
    text: async (text) => say(text),
    error: say,
    json: (value) => say(JSON.stringify(value)),
    onClosed: () => () => undefined,
  };
  return { screen, said };
}

/** Parks on its first runs, as an agent with a spent quota does. */
function parks(ms: number, times: number): WorkerFunction {
  let runs = 0;
  return (context, run) => {
    if (++runs <= times) run.park(new Date(Date.now() + ms), 'the quota is spent');
    return { signal: 'SIGNAL:SUCCESS', new_payload: context.execution_payload };
  };
}

async function run(options: { wait: boolean; json: boolean; parkMs: number; times?: number }) {
  const { screen, said } = recorder();
  const dir = mkdtempSync(join(tmpdir(), 'loopwright-follow-'));
  made.push(dir);
  const opened = openAt(dir);
  const id = opened.sessions.newId();
  const workers = { Agent: parks(options.parkMs, options.times ?? 1) };
  const orchestrator = new Orchestrator(MANIFEST, { workers, sessions: opened.sessions });
  const exitCode = await followRun(
    createCli(screen, () => undefined),
    { project: openProject(dir), json: options.json, wait: options.wait, announce: () => undefined },
    async (company) =>
      startSession(
        {
          opened,
          orchestrator,
          id,
          goal: 'go',
          workflow: 'test',
          notes: [],
          begin: (engine) => engine.execute('Main', { goal: 'go', sessionId: id }),
          close: async () => [],
        },
        company,
      ),
  );
  return { exitCode, said: said.join('\n') };
}

test('a parked session shows when it will continue, and continues by itself', async () => {
  const { exitCode, said } = await run({ wait: true, json: false, parkMs: 30 });
  expect(exitCode).toBe(0);
  expect(said).toMatch(/Parked until .*; continuing by itself in \d+ ms: the quota is spent/);
  expect(said).toContain('completed in 1 step');
});

test('in a pipe every wait is told, with its reason', async () => {
  const { said } = await run({ wait: true, json: false, parkMs: 30, times: 3 });
  const told = said.split('\n').filter((line) => line.startsWith('Parked until'));
  expect(told.map((line) => line.replace(/^.* ms/, ''))).toEqual(Array(3).fill(': the quota is spent'));
});

test('with --no-wait a parked session ends with code 2 and says how to continue', async () => {
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
