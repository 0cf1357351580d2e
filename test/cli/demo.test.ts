import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonLines, loopwright, paste, tempFolder } from './support.ts';

const PATH = [
  'Feature_Implement__GenerateCode',
  'Core_Validate__ValidateOutput',
  'Core_IO__WriteArtifacts',
  'Core_Validate__RunTests',
  'Feature_Troubleshoot__FixCode',
  'Core_Validate__ValidateOutput',
  'Core_IO__WriteArtifacts',
  'Core_Validate__RunTests',
  'Core_Validate__InspectTests',
  'Feature_Implement__GenerateDocs',
  'Feature_Implement__CheckDocs',
];

test('TFX-02 to TFX-06, TFX-09, TFX-10: the demo fails once, corrects itself and completes', async () => {
  const cwd = tempFolder();
  const { code, stdout, stderr } = await loopwright(['demo', '--json'], { cwd, env: { TMPDIR: cwd } });
  expect([code, stderr]).toEqual([0, '']);
  const events = jsonLines(stdout);
  const result = events.at(-1) as unknown as { type: string; status: string; worktree: string; trail: Trail };
  expect(result.type).toBe('result');
  expect(result.status).toBe('completed');
  expect(result.trail.map(({ block }) => block)).toEqual(PATH);
  expect(result.trail.map(({ next }) => next)).toEqual([...PATH.slice(1), null]);
  expect(result.trail.map(({ signal }) => signal.replace('SIGNAL:', ''))).toEqual([
    'SUCCESS',
    'SUCCESS',
    'SUCCESS',
    'FAILURE',
    'SUCCESS',
    'SUCCESS',
    'SUCCESS',
    'SUCCESS',
    'SUCCESS',
    'SUCCESS',
    'NO_CHANGE',
  ]);
  expect(readFileSync(join(result.worktree, 'slugify.mjs'), 'utf8')).toContain("normalize('NFD')");
  execFileSync(process.execPath, ['--test'], { cwd: result.worktree, env: { PATH: process.env['PATH'] } });
  expect(git(result.worktree, 'status', '--porcelain')).toBe(' M slugify.mjs\n');
});

type Trail = { block: string; next: string | null; signal: string }[];

test('TFX-07, TFX-08: the fix block is shown the failing log first', async () => {
  const cwd = tempFolder();
  const { stdout } = await loopwright(['demo', '--keep', '--json'], { cwd });
  const { session } = jsonLines(stdout).at(-1) as { session: string };
  const shown = await loopwright(['show', session, '--step', '5', '--json'], {
    cwd: join(cwd, 'loopwright-demo'),
  });
  const step = JSON.parse(shown.stdout) as { block: string; shown: { type: string; content: string }[] };
  expect(step.block).toBe('Feature_Troubleshoot__FixCode');
  expect(step.shown[0]?.type).toBe('TEST_RESULT');
  expect(step.shown[0]?.content).toContain('cr-me-br-l-e-');
});

test('the demo shows the way through the graph, the diff and where to look', async () => {
  const cwd = tempFolder();
  const { code, stdout } = await loopwright(['demo'], { cwd, env: { TMPDIR: cwd } });
  expect(code).toBe(0);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/✗ +4 +Core_Validate__RunTests +FAILURE .* → Feature_Troubleshoot__FixCode/);
  expect(stdout).toMatch(/✓ +8 +Core_Validate__RunTests +SUCCESS .*\(attempt 2\)/);
  expect(stdout).toContain('+    .normalize(');
  const look = /^ {2}(.* show .*)$/m.exec(stdout)?.[1] ?? '';
  expect((await paste(look, { cwd })).stdout).toContain('completed');
});

test('TFX-12, B-06: the halting demo prints a command that, pasted, brings it to its end', async () => {
  const cwd = tempFolder();
  const halted = await loopwright(['demo', '--halt'], { cwd, env: { TMPDIR: cwd } });
  expect(halted.code).toBe(2);
  expect(halted.stdout).toContain('Feature_Troubleshoot__FixCode has run 3 times; its limit is 3');
  const command = /^ {2}(.* --guidance .*)$/m.exec(halted.stdout)?.[1] ?? '';
  const resumed = await paste(command, { cwd });
  expect(resumed.code).toBe(0);
  expect(resumed.stdout).toContain('completed');
});

test('the demo needs no git configuration and refuses to overwrite a kept one', async () => {
  const cwd = tempFolder();
  const env = { HOME: cwd, XDG_CONFIG_HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  expect((await loopwright(['demo', '--keep'], { cwd, env })).code).toBe(0);
  expect(existsSync(join(cwd, 'loopwright-demo', '.git'))).toBe(true);
  const again = await loopwright(['demo', '--keep'], { cwd, env });
  expect(again.code).toBe(1);
  expect(again.stderr).toMatch(/error: .*loopwright-demo exists already\.\nnext: /);
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
