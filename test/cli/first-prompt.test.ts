import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loopwright, type Place, write } from './support.ts';
import { repository } from './workspace-support.ts';

/** A test of many lines whose one failure stands in the middle. */
const TEST = `
for (let i = 0; i < 200; i++) console.log(i === 120 ? 'not ok 121 - adds: expected 2, got 3' : 'ok ' + (i + 1));
const { readFileSync } = require('node:fs');
process.exit(readFileSync('sum.txt', 'utf8') === 'right' ? 0 : 1);
`;

function project(): Place {
  const cwd = repository({ 'sum.txt': 'wrong', 'check.cjs': TEST });
  write(cwd, {
    '.git/script.json': {
      steps: [{ write: { path: 'sum.txt', content: 'right' } }, { say: 'corrected the sum' }],
    },
    '.loopwright/config.json': {
      commands: { test: 'node check.cjs' },
      workers: { Coder: { agent: 'scripted', conversation: 'fresh' } },
    },
  });
  const env = {
    REPO_MODE: 'local-git',
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git/locks'),
  };
  return { cwd, env };
}

/** What went to the agent in the step, as `show --step` prints it. */
async function sent(step: string, place: Place): Promise<string> {
  const { code, stdout } = await loopwright(['show', '--step', step], place);
  expect(code).toBe(0);
  return stdout.slice(stdout.indexOf('sent to '), stdout.lastIndexOf('\nout\n'));
}

test('the first attempt of a run is shown what the red check printed, and is not asked for CODE_OUTPUT', async () => {
  const place = project();
  expect(await loopwright(['run', 'make the sum right'], place)).toMatchObject({ code: 0 });
  const prompt = await sent('1', place);
  expect(prompt).toContain('make the sum right');
  expect(prompt).toMatch(/test \(`node check\.cjs`\) was red: it ended with exit code 1\. It printed/);
  expect(prompt).toMatch(
    /\n {2}ok 1\n[^]*left out \.\.\.\]\n {2}not ok 121 - adds: expected 2, got 3\n[^]*\n {2}ok 200\n/,
  );
  expect(prompt).toContain('change them there yourself');
  expect(prompt).not.toContain('CODE_OUTPUT');
});

test.each(['local-git', 'direct'])('the first attempt of a task is shown it too: %s', async (mode) => {
  const { cwd, env } = project();
  const place = { cwd, env: { ...env, REPO_MODE: mode } };
  await loopwright(['task', 'add', 'make the sum right', '--command', 'node check.cjs'], place);
  await loopwright(['work', '--once'], place);
  const prompt = await sent('2', place);
  expect(prompt).toMatch(/`node check\.cjs`\) was red: [^]*\n {2}not ok 121 - adds: expected 2, got 3\n/);
  expect(prompt).not.toContain('CODE_OUTPUT');
});

test('a program, which changes no files itself, is asked for CODE_OUTPUT', async () => {
  const place = project();
  write(place.cwd, {
    'coder.cjs': `
      const context = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
      const content = { filePath: 'sum.txt', fileContent: 'right' };
      const asked = context.contract.instructions.includes('one CODE_OUTPUT segment per file');
      const segments = asked ? [{ type: 'CODE_OUTPUT', content }] : [];
      console.log(JSON.stringify({ signal: 'SIGNAL:SUCCESS', segments }));`,
    '.loopwright/config.json': {
      commands: { test: 'node check.cjs' },
      workers: { Coder: { command: ['node', join(place.cwd, 'coder.cjs')] } },
    },
  });
  const { stdout, code } = await loopwright(['run', 'make the sum right', '--include-dirty'], place);
  expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
});
