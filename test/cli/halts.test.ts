import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
    [{ write: { path: 'out.txt', content: 'right\n' } }, { say: 'Now it is.' }],
    [{ say: 'It is right.' }],
  ]);
  const halted = await call('run', 'make it right', '--agent', 'scripted');
  expect(halted.code).toBe(2);
  expect(halted.stdout).toContain('Core_Validate__RunTests has failed in the same way 3 times in a row');
  expect(halted.stdout).toContain('│ AssertionError: out.txt is not right');
  expect(halted.stdout).toContain(`retry ${id()} --guidance`);
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
  const { call } = project([wrong(1), wrong(2), wrong(3)], {
    '.loopwright/config.json': { commands: { test: 'no-such-program --all' } },
  });
  const halted = await call('run', 'make it right', '--agent', 'scripted', '--json');
  const result = JSON.parse(halted.stdout.trim().split('\n').at(-1) ?? '');
  expect(result.why.lines.join('\n')).toContain('no-such-program');
  expect(result.why.lines.join('\n')).toContain('set commands.test in .loopwright/config.json');
});
