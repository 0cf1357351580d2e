import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { loopwright, tempFolder, write } from './support.ts';

const wrong = (n: number) => [
  { write: { path: 'out.txt', content: `wrong ${n}\n` } },
  { say: 'I have changed it.' },
];

/** A project whose check wants the word "right" in out.txt, and a script for its agent. */
function project(turns: readonly unknown[], more: { readonly [path: string]: unknown } = {}) {
  const dir = tempFolder();
  write(dir, {
    'check.mjs':
      "import { readFileSync } from 'node:fs';\nif (!readFileSync('out.txt', 'utf8').startsWith('right')) { console.log('AssertionError: out.txt is not right'); process.exit(1); }\n",
    'out.txt': 'none\n',
    'script.json': { turns },
    '.loopwright/config.json': { commands: { test: 'node check.mjs' } },
    ...more,
  });
  const place = { cwd: dir, env: { LOOPWRIGHT_SCRIPT: join(dir, 'script.json') } };
  const call = (...args: string[]) => loopwright(args, place);
  const id = () => readdirSync(join(dir, '.loopwright/sessions'))[0] ?? '';
  return { dir, call, id };
}

test('a halt on equal failures shows the failing lines, and the retry it names reaches the agent and the check', async () => {
  const { call, id } = project([
    wrong(1),
    wrong(2),
    wrong(3),
    wrong(4),
    [{ write: { path: 'out.txt', content: 'right\n' } }, { say: 'Now it is.' }],
    [{ say: 'It is right.' }],
  ]);
  const halted = await call('run', 'make it right', '--agent', 'scripted');
  expect(halted.code).toBe(2);
  expect(halted.stdout).toContain('Core_Validate__RunTests has failed in the same way 4 times in a row');
  expect(halted.stdout).toContain('│ AssertionError: out.txt is not right');
  expect(halted.stdout).toContain(`retry ${shortId(id())} --guidance`);
  const page = await call('show', id());
  expect(page.stdout).toContain('│ AssertionError: out.txt is not right');
  const retried = await call('retry', id(), '--guidance', 'the word is right', '--json');
  const [last, ...steps] = retried.stdout
    .trim()
    .split('\n')
    .reverse()
    .map((line) => JSON.parse(line));
  expect(last).toMatchObject({ type: 'result', status: 'completed', exitCode: 0 });
  const first = steps.reverse().find(({ type }) => type === 'step.started');
  expect(first).toMatchObject({ block: 'Feature_Troubleshoot__FixCode' });
});

test('a halt on a login that is refused says what the provider said and how to log in, and offers no hint', async () => {
  const { call, id } = project([[{ auth: 'Invalid API key' }], [{ say: 'x' }]]);
  const halted = await call('run', 'make it right', '--agent', 'scripted');
  expect(halted.stdout).toContain('│ scripted failed (auth): Invalid API key');
  expect(halted.stdout).toContain('next: Log in to scripted');
  expect(halted.stdout).not.toContain('--guidance');
  const json = JSON.parse((await call('show', id(), '--json')).stdout);
  expect(json.why).toMatchObject({ agent: { agent: 'scripted', kind: 'auth' } });
  expect(json.next[1]).toMatchObject({ id: 'session.retry' });
});

test('a check whose program is not there says so in the halt', async () => {
  const { call } = project([wrong(1), wrong(2), wrong(3), wrong(4)], {
    '.loopwright/config.json': { commands: { test: 'no-such-program --all' } },
  });
  const halted = await call('run', 'make it right', '--agent', 'scripted', '--json');
  const result = JSON.parse(halted.stdout.trim().split('\n').at(-1) ?? '');
  expect(result.why.lines.join('\n')).toContain('no-such-program');
  expect(result.why.lines.join('\n')).toContain('set commands.test in .loopwright/config.json');
});

const node = (transitions: { readonly [signal: string]: string }) => ({
  nodes: {
    Work: {
      entry_block: 'Check',
      blocks: {
        Check: {
          worker: 'Internal:TestRunner',
          transitions: Object.entries(transitions).map(([signal, action]) => ({
            on_signal: `SIGNAL:${signal}`,
            action,
          })),
        },
        After: { worker: 'Internal:Command', with: { argv: ['node', '-e', '0'] }, transitions: [] },
      },
    },
  },
});

test('a workflow that was corrected in its file can be taken up, and the change is recorded and shown', async () => {
  const { dir, call, id } = project([], { 'flow.json': node({ SUCCESS: 'JUMP:After' }) });
  const failed = await call('run', 'go', '--workflow', 'flow.json');
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain(`retry ${shortId(id())} --manifest current`);
  const same = await call('retry', id(), '--manifest', 'current');
  expect([same.code, same.stdout]).toEqual([1, expect.stringContaining('is the same as before')]);
  write(dir, { 'flow.json': node({ SUCCESS: 'JUMP:After', FAILURE: 'JUMP:After' }) });
  const frozen = await call('retry', id());
  expect(frozen.code).toBe(1);
  const taken = await call('retry', id(), '--manifest', 'current');
  expect(taken.stdout).toMatch(/takes up flow\.json as it is now: manifest [0-9a-f]{12} before/);
  expect(taken.code).toBe(0);
  const page = JSON.parse((await call('show', id(), '--json')).stdout);
  expect(page.manifests).toEqual([expect.objectContaining({ step: 3 })]);
  expect((await call('show', id())).stdout).toMatch(/manifest [0-9a-f]{12} up to step 3/);
});

test('a corrected workflow without the block that the session stands at is refused', async () => {
  const { dir, call, id } = project([], { 'flow.json': node({ SUCCESS: 'JUMP:After' }) });
  await call('run', 'go', '--workflow', 'flow.json');
  const other = {
    nodes: { Other: { entry_block: 'A', blocks: { A: { worker: 'Internal:TestRunner', transitions: [] } } } },
  };
  write(dir, { 'flow.json': other });
  const refused = await call('retry', id(), '--manifest', 'current');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('has no block Work__Check');
});

test('a halt on a login names the words of the agent that say how', async () => {
  const adapter = {
    metadata: { displayName: 'Mine' },
    binary: { command: '{node}', login: { how: 'run mine login' } },
    modes: {
      headless: {
        stream: 'text',
        args: ['-e', "console.error('Not logged in'); process.exit(1)"],
        settings: { permissions: { edits: { args: [] } } },
      },
    },
    errors: [{ pattern: 'Not logged in', kind: 'auth' }],
  };
  const { call } = project([], { '.loopwright/adapters/mine.json': adapter });
  const halted = await call('run', 'make it right', '--agent', 'mine');
  expect(halted.stdout).toContain('next: Log in to mine: run mine login');
});

const ask = { ask: { question: 'Which port?', choices: ['80', '8080'] } };
const flow = {
  workers: { Coder: { agent: 'scripted', permissions: 'ask' } },
  nodes: {
    Main: {
      entry_block: 'A',
      blocks: { A: { worker: 'Coder', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }] } },
    },
  },
};

test('an agent that asks where nobody sits halts the session with exit code 2, and the answer it names moves it on', async () => {
  const turn = [ask, { say: 'took {{answer}}' }];
  const { call, id } = project([turn, turn], { 'flow.json': flow });
  const halted = await call('run', 'go', '--workflow', 'flow.json');
  expect([halted.code, halted.stdout]).toEqual([2, expect.stringContaining('halted (question) at Main__A')]);
  expect(halted.stdout).toContain('Which port?');
  expect(halted.stdout).toContain(`resume ${shortId(id())} --answer 8080`);
  const wrongly = await call('resume', id(), '--answer', '81');
  expect(wrongly.stderr).toContain('is not one of the choices');
  const done = await call('resume', id(), '--answer', '8080');
  expect(done.code).toBe(0);
  const { payload } = JSON.parse((await call('show', id(), '--payload', '--json')).stdout) as {
    payload: { type: string; content: unknown }[];
  };
  expect(payload.find(({ type }) => type === 'MODEL_OUTPUT')?.content).toBe('took 8080');
});

test('with questions.minutes an agent is waited for, and then the session halts', async () => {
  const { call } = project([[ask, { say: 'took {{answer}}' }]], {
    'flow.json': flow,
    '.loopwright/config.json': { questions: { minutes: 0.001 } },
  });
  const halted = await call('run', 'go', '--workflow', 'flow.json');
  expect([halted.code, halted.stdout]).toEqual([2, expect.stringContaining('halted (question)')]);
});
