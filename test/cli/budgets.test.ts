import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loopwright, tempFolder, write } from './support.ts';

const block = (next: string) => ({
  worker: 'Coder',
  transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: next }],
});

/** Two blocks of one worker, and a script for its agent. */
function project(worker: object, config: object = {}, turns: readonly unknown[] = [[{ say: 'done' }]]) {
  const dir = tempFolder();
  write(dir, {
    'flow.json': {
      workers: { Coder: worker },
      nodes: { Main: { entry_block: 'A', blocks: { A: block('JUMP:B'), B: block('RETURN') } } },
    },
    'script.json': { turns },
    '.loopwright/config.json': config,
  });
  const env = { LOOPWRIGHT_SCRIPT: join(dir, 'script.json') };
  const call = (...args: string[]) => loopwright(args, { cwd: dir, env });
  const run = (...args: string[]) => call('run', 'go', '--workflow', 'flow.json', ...args);
  return { dir, call, run };
}

const MODEL = { agent: 'codex', model: 'gpt-9-unheard-of' };

test('BUD-04 a usd budget with a model whose price nobody knows is refused before anything starts', async () => {
  const { run, call } = project(MODEL);
  const refused = await run('--budget', 'usd=2');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('Nobody knows what gpt-9-unheard-of of codex costs (worker Coder)');
  expect(refused.stderr).toContain('budget of tokens instead');
  expect((await call('sessions')).stdout).toContain('No sessions');
  expect((await run('--budget', 'tokens=1000')).stderr).not.toContain('cannot hold');
  const priced = project(MODEL, { prices: { 'gpt-9-unheard-of': { input: 1, output: 2 } } });
  expect((await priced.run('--budget', 'usd=2')).stderr).not.toContain('cannot hold');
});

test('BUD-04 an agent that reports nothing, as on a terminal, is refused under a budget of money or tokens', async () => {
  const { run } = project({ agent: 'scripted', mode: 'interactive' });
  for (const budget of ['usd=1', 'tokens=100']) {
    const refused = await run('--budget', budget);
    expect(refused.stderr).toContain(
      'scripted reports neither tokens nor money on a terminal (worker Coder)',
    );
    expect(refused.stderr).toContain('budget of minutes or steps');
  }
});

const tokens = [{ usage: { input: 1_000_000, output: 0 } }, { say: 'done' }];

test('own prices turn tokens into money, and the budget of the configuration holds it', async () => {
  const prices = { script: { input: 3, output: 1 } };
  const { run } = project({ agent: 'scripted' }, { prices, budget: { usd: 2 } }, [tokens, tokens]);
  const halted = await run('--json');
  const result = JSON.parse(halted.stdout.trim().split('\n').at(-1) ?? '');
  expect(result).toMatchObject({ status: 'halted', halt: { reason: 'budget' }, used: { usd: 3 } });
  const more = await run('--budget', 'usd=10', '--json');
  expect(JSON.parse(more.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    status: 'completed',
    used: { usd: 6 },
  });
});

test('tokens without a price halt a session with a usd budget at the first of them, and a price moves it on', async () => {
  const config = { budget: { usd: 5 } };
  const { dir, run, call } = project({ agent: 'scripted' }, config, [tokens, tokens]);
  const halted = await run();
  expect(halted.code).toBe(2);
  expect(halted.stdout).toContain(
    'what scripted used has no known price, so the budget of 5 USD cannot hold',
  );
  expect(halted.stdout).toContain('once "prices" in the configuration have what it costs');
  write(dir, { '.loopwright/config.json': { ...config, prices: { script: { input: 1, output: 1 } } } });
  const [id = ''] = readdirSync(join(dir, '.loopwright/sessions'));
  expect((await call('resume', id)).code).toBe(0);
});

const cents = (usd: number) => [{ usage: { input: 10, output: 0, usd } }, { say: 'done' }];
const last = ({ stdout }: { stdout: string }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

test('BUD-01 BUD-02 a day: told at 80 %, parked at the next usage when it is spent, nothing new starts, a person raises it', async () => {
  const config = { budget: { day: { usd: 1 } } };
  const { call, run, dir } = project({ agent: 'scripted' }, config, [cents(0.85), cents(0.4), cents(0.3)]);
  const parked = await run('--no-wait');
  expect(parked.code).toBe(2);
  expect(parked.stdout).toContain('! 0.85 of 1 USD of today are spent');
  expect(parked.stdout).toContain('parked until');
  expect(parked.stdout).toContain('  1.25 of 1 USD of today are spent');
  expect(parked.stdout).toMatch(/next: let today use more, then continue\n.* budget --today usd=1\n/);
  const refused = await run();
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('1.25 of 1 USD of today are spent');
  expect(refused.stderr).toContain('budget --today usd=2');
  expect(JSON.parse((await call('budget', '--json')).stdout)).toMatchObject({
    today: { spent: { usd: 1.25, tokens: 20, runs: 1 }, most: { usd: 1 } },
    project: { spent: { usd: 1.25 } },
  });
  const raised = await call('budget', '--today', '+5');
  expect(raised.stdout).toMatch(/USD +1\.25 of 6\.00 +1\.25/);
  const [id = ''] = readdirSync(join(dir, '.loopwright/sessions'));
  expect((await call('resume', id)).code).toBe(0);
});

test('BUD-02 a project: halts when it is spent, and a larger cap in the configuration lets it go on', async () => {
  const { call, run, dir } = project({ agent: 'scripted' }, { budget: { project: { tokens: 15 } } }, [
    cents(0),
    cents(0),
  ]);
  const halted = last(await run('--json'));
  expect(halted).toMatchObject({ status: 'halted', halt: { reason: 'budget' } });
  expect(halted.halt.message).toContain('20 of 15 tokens of the project are spent');
  const [id = ''] = readdirSync(join(dir, '.loopwright/sessions'));
  expect((await call('resume', id)).stderr).toContain('Raise budget.project.tokens');
  write(dir, { '.loopwright/config.json': { budget: { project: { tokens: 100 } } } });
  expect((await call('resume', id)).code).toBe(0);
});

test('BUD-03 what a run may use is reserved: one whose budget does not fit is not started', async () => {
  const { run, call } = project({ agent: 'scripted' }, { budget: { day: { usd: 1, runs: 3 } } }, [
    cents(0.2),
    cents(0.2),
  ]);
  expect((await run('--budget', 'usd=0.6')).code).toBe(0);
  const refused = await run('--budget', 'usd=0.7');
  expect(refused.stderr).toContain('what this run may use does not fit');
  expect((await run('--budget', 'usd=0.5')).code).toBe(0);
  expect((await call('budget', '--today', 'tokens=5')).stderr).toContain('Today has no limit of tokens');
});

test('BUD-02 when a day is spent no task is claimed, and a raised day goes on with them', async () => {
  const config = {
    budget: { day: { runs: 1 } },
    agents: { worker: 'scripted' },
    repository: { mode: 'direct' },
  };
  const edit = [{ write: { path: 'a.txt', content: 'a\n' } }, { say: 'done' }];
  const { call } = project({ agent: 'scripted' }, config, [edit]);
  for (const title of ['one', 'two']) await call('task', 'add', title, '--command', 'node --version');
  const first = await call('work', '--once');
  expect(first.stdout.match(/claimed/g)).toHaveLength(1);
  const second = await call('work', '--once');
  expect(second.stdout).toContain('the budget of today: 1 of 1 runs of today are spent');
  expect(second.stdout).not.toContain('claimed');
  await call('budget', '--today', 'runs=5');
  expect((await call('work', '--once')).stdout).toContain('claimed two');
});
