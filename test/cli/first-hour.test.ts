import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loopwright, start, tempFolder, write } from './support.ts';
import { repository } from './workspace-support.ts';

test('doctor says that an empty folder is no project', async () => {
  const empty = await loopwright(['doctor'], { cwd: tempFolder() });
  expect([empty.code, empty.stdout]).toEqual([1, expect.stringContaining('there is no project in')]);
  expect((await loopwright(['doctor'], { cwd: repository() })).stdout).not.toContain('there is no project');
});

const WORKS = { LLM_EXECUTOR: 'scripted', REPO_MODE: 'direct' };

test('work with tasks of which none can be started ends with 2 and says what to do; with none at all it is fine', async () => {
  const cwd = tempFolder();
  const place = { cwd, env: WORKS };
  const none = await loopwright(['work', '--once'], place);
  expect([none.code, none.stdout]).toEqual([0, expect.stringMatching(/nothing to do\.\nnext: .* task add /)]);
  const added = await loopwright(['task', 'add', 'first', '--role', 'tester', '--json'], place);
  const { id } = JSON.parse(added.stdout) as { id: string };
  await loopwright(['task', 'add', 'second', '--needs', id], place);
  const stuck = await loopwright(['work', '--once'], place);
  expect([stuck.code, stuck.stdout]).toEqual([
    2,
    expect.stringMatching(/Nothing could be started\. In line: 1 task; [^]*\nnext: .* show /),
  ]);
  const json = await loopwright(['work', '--once', '--json'], place);
  expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ waiting: 1, exitCode: 2 });
});

test('nobody researches or waits for tasks who was not chosen', async () => {
  const place = { cwd: tempFolder(), env: { LLM_EXECUTOR: undefined } };
  for (const words of [['research', 'why?'], ['work']]) {
    const { code, stderr } = await loopwright(words, place);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/No agent was chosen[^]*next: Set LLM_EXECUTOR/),
    ]);
  }
  const tasks = await loopwright(['task', 'list', '--all', '--json'], place);
  expect(JSON.parse(tasks.stdout).tasks).toEqual([]);
});

test('BUD-04 a task with a budget that nobody can hold is refused with the task, and before its agent starts', async () => {
  const cwd = tempFolder();
  const place = { cwd, env: { REPO_MODE: 'direct' } };
  const unpriced = { agents: { all: 'codex' }, models: { worker: 'gpt-9-unheard-of' } };
  write(cwd, { '.loopwright/config.json': unpriced });
  const add = (budget: string) => loopwright(['task', 'add', 'one', '--budget', budget], place);
  const refused = await add('usd=2');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('Nobody knows what gpt-9-unheard-of of codex costs (the task)'),
  ]);
  expect((await add('tokens=1000')).code).toBe(0);
  // Who plays it may change after it was added.
  write(cwd, { '.loopwright/config.json': { ...unpriced, budget: { usd: 3 } } });
  const { stdout } = await loopwright(['work', '--once', '--trust'], place);
  expect(stdout).toContain('Nobody knows what gpt-9-unheard-of of codex costs');
  const [task] = JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout).tasks;
  expect(task).toMatchObject({ state: 'blocked', failureCode: 'budget_unheld' });
});

test('BUD-02 a run that waits for tomorrow goes on when a person lets today use more', async () => {
  const cwd = tempFolder();
  const turn = [{ usage: { input: 10, output: 0, usd: 1.5 } }, { say: 'done' }];
  const block = (next: string) => ({
    worker: 'Coder',
    transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: next }],
  });
  write(cwd, {
    'flow.json': {
      workers: { Coder: { agent: 'scripted' } },
      nodes: { Main: { entry_block: 'A', blocks: { A: block('JUMP:B'), B: block('RETURN') } } },
    },
    'script.json': { turns: [turn, [{ say: 'done' }]] },
    '.loopwright/config.json': { budget: { day: { usd: 1 } } },
  });
  const place = { cwd, env: { LOOPWRIGHT_SCRIPT: join(cwd, 'script.json') } };
  const waiting = start(['run', 'go', '--workflow', 'flow.json', '--json'], place);
  await waiting.saw('session.parked');
  expect((await loopwright(['budget', '--today', 'usd=9'], place)).code).toBe(0);
  const ended = await waiting.ended;
  expect([ended.code, readdirSync(join(cwd, '.loopwright/sessions')).length]).toEqual([0, 1]);
});
