import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, ROOT, tempFolder, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';

const PAGE = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');

/** The definitions on the page, by the name of the file that the page gives them. */
function definition(name: string): string {
  const text = PAGE.slice(PAGE.indexOf(`.loopwright/adapters/${name}.json`));
  const json = /```json\n([\s\S]*?)```/.exec(text)?.[1];
  if (json === undefined) throw new Error(`The page has no example ${name}.`);
  return json;
}

/** A program that checks how it was called, then does what the environment of the test says. */
function program(name: string, expected: readonly string[]): string {
  const bin = tempFolder();
  const source = `#!${process.execPath}
const { writeFileSync } = require('node:fs');
if (process.argv.includes('--version')) { console.log('1.0.0'); process.exit(0); }
const args = process.argv.slice(2);
const expected = ${JSON.stringify(expected)};
const prompt = args[expected.length - 1] ?? '';
for (const [at, arg] of expected.entries()) {
  if (!(arg.endsWith('{prompt}') ? args[at].startsWith(arg.slice(0, -8)) : args[at] === arg)) {
    console.error('unexpected arguments', args); process.exit(9);
  }
}
if (!prompt.includes('write the page')) { console.error('no task in', prompt); process.exit(8); }
if (${JSON.stringify(name)} === 'my-agent' && prompt.includes('spent')) { console.log('quota exceeded, try again in 3 hours'); process.exit(0); }
writeFileSync('src/page.txt', 'written\\n');
console.log('Wrote it.');
`;
  write(bin, { [name]: source });
  chmodSync(join(bin, name), 0o755);
  return bin;
}

async function work(agent: string, bin: string, title: string) {
  const cwd = repository({
    'check.mjs': "import { readFileSync } from 'node:fs'; readFileSync('src/page.txt');\n",
    'src/start.txt': 'start\n',
  });
  write(cwd, { [`.loopwright/adapters/${agent}.json`]: definition(agent) });
  const place = { cwd, env: { PATH: `${bin}:${process.env['PATH']}`, REPO_MODE: 'local-git' } };
  const added = await loopwright(
    ['task', 'add', title, '--json', '--agent', agent, '--allow', 'src/**', '--command', 'node check.mjs'],
    place,
  );
  expect(added.stderr).toBe('');
  const { id } = JSON.parse(added.stdout) as { id: string };
  const worked = await loopwright(['work', '--once'], place);
  const shown = await loopwright(['task', 'show', id, '--json'], place);
  return { cwd, worked, task: JSON.parse(shown.stdout) as { readonly [key: string]: unknown } };
}

describe('docs/agents.md: your own agent', () => {
  it('the example runs a task of the backlog as it stands', async () => {
    const bin = program('my-agent', ['run', '--quiet', '--auto-edit', '--', '{prompt}']);
    const { cwd, task, worked } = await work('mine', bin, 'write the page');
    expect(task, worked.stderr).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
    const branch = git(cwd, 'branch', '--list', '--format=%(refname:short)').split('\n');
    expect(branch.length).toBeGreaterThan(1);
  });

  it('its error pattern is believed: the task waits for the quota', async () => {
    const bin = program('my-agent', ['run', '--quiet', '--auto-edit', '--', '{prompt}']);
    const { task, worked } = await work('mine', bin, 'spent: write the page');
    expect(task, worked.stderr).toMatchObject({ state: 'blocked', blockReason: 'quota_wait' });
  });

  it('the example of a CLI that prints plain text runs one too', async () => {
    const { args } = (JSON.parse(definition('aider')) as { modes: { headless: { args: string[] } } }).modes
      .headless;
    const bin = program('aider', [...args, '--message={prompt}']);
    const { task, worked } = await work('aider', bin, 'write the page');
    expect(task, worked.stderr).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
  });
});
