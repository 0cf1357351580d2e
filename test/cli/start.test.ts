import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loopwright, ROOT, start, tempFolder } from './support.ts';

/** The files that Node must read before the first line of ours runs. */
function staticGraph(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path = ''] of text.matchAll(/(?:^|;)import\s*(?:[^;"]*?from\s*)?"(\.[^"]+)"/gm))
    staticGraph(resolve(dirname(file), path), seen);
  return seen;
}

test('what --help loads holds the option parser and the words of the commands, and nothing that works', () => {
  const files = [...staticGraph(join(ROOT, 'dist/bin/loopwright.js'))];
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(files.length).toBeGreaterThan(1);
  expect(text.length).toBeLessThan(280_000);
  for (const heavy of ['class Orchestrator', 'ZodType', 'class Ajv', 'logUpdate', 'ulid'])
    expect(text).not.toContain(heavy);
});

test('--help and --version answer, and every command is listed', async () => {
  const cwd = tempFolder();
  const help = await loopwright(['--help'], { cwd });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(help.code).toBe(0);
  for (const name of 'init demo run validate graph simulate sessions ps show resume retry abort step clean'.split(
    ' ',
  )) {
    expect(help.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  }
  expect(await loopwright(['--version'], { cwd })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('colour follows FORCE_COLOR and NO_COLOR, and a pipe gets none', async () => {
  const cwd = tempFolder();
  const said = async (env: NodeJS.ProcessEnv) => (await start(['sessions'], { cwd, env }).ended).stdout;
  expect(await said({})).not.toContain('\u001b');
  expect(await said({ FORCE_COLOR: '1' })).toContain('\u001b[36mnext:');
  expect(await said({ NO_COLOR: '1' })).not.toContain('\u001b');
});
