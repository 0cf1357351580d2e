import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loopwright, ROOT, tempFolder, write } from './support.ts';
import { git, repository } from './workspace-support.ts';

const page = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);

/** The words of each call of the command in a text. */
function calls(text: string): string[][] {
  return [...text.matchAll(/npx loopwright ([^\n|>&]+)/g)].map(([, line = '']) =>
    [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  );
}

function project() {
  const cwd = repository({ 'sum.txt': 'wrong', 'check.cjs': CHECK, 'package.json': { private: true } });
  write(cwd, {
    '.git/script.json': { steps: [{ write: { path: 'sum.txt', content: 'right' } }, { say: 'done' }] },
    '.loopwright/config.json': SETTINGS,
  });
  return { cwd, env: { LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json') } };
}
const SETTINGS = { commands: { test: 'node check.cjs' }, sandbox: 'off' };
const CHECK = `process.exit(require('node:fs').readFileSync('sum.txt', 'utf8') === 'right' ? 0 : 1);`;

describe('docs/ci.md', () => {
  const [yaml = ''] = blocks(page('ci.md'), 'yaml');

  test('every command of the job exists with its options, and the job does what the page says', async () => {
    const place = project();
    const codes: [string, number | null][] = [];
    for (const words of calls(yaml)) {
      // The scripted agent plays the real one, and there is no GitHub here: a plain accept has the same proofs.
      const told = words
        .filter((word) => word !== '--pr')
        .map((word) => (word === 'claude' ? 'scripted' : word));
      const { code, stderr } = await loopwright(told, place);
      expect(stderr).not.toMatch(/unknown (?:option|command)/);
      codes.push([words[0] ?? '', code]);
    }
    expect(codes.map(([name]) => name)).toEqual(['doctor', 'run', 'accept', 'ps', 'show']);
    expect(Object.fromEntries(codes)).toMatchObject({ run: 0, accept: 0, ps: 0, show: 0 });
    expect(git(place.cwd, 'show', 'main:sum.txt')).toBe('right');
    expect((await loopwright(['accept', '--help'], place)).stdout).toContain('--pr ');
  });

  test('the shell around them is sound, and a halt is no error of the job', () => {
    const [script = ''] = yaml.match(/^ {10}code=0\n[^]*?-ne 1$/m) ?? [];
    for (const code of [0, 1, 2]) {
      const job = script.replace(/npx loopwright .*? \|\|/, `(exit ${code}) ||`);
      const file = join(tempFolder(), 'output');
      const { status } = spawnSync('bash', ['-e', '-c', job], {
        env: { ...process.env, GITHUB_OUTPUT: file },
      });
      expect([status === 0, readFileSync(file, 'utf8')]).toEqual([code !== 1, `code=${code}\n`]);
    }
  });
});

describe('docs/storage.md', () => {
  test('its commands remove every trace from a project', async () => {
    const place = project();
    expect((await loopwright(['init', '--yes', '--force'], place)).code).toBe(0);
    write(place.cwd, { '.loopwright/config.json': SETTINGS });
    expect((await loopwright(['run', 'fix it', '--agent', 'scripted'], place)).code).toBe(0);
    const [script = ''] = blocks(page('storage.md'), 'sh');
    const { cwd } = place;
    expect(git(cwd, 'for-each-ref')).toContain('refs/loopwright/');
    execFileSync('sh', ['-e', '-c', script], { cwd });
    expect(existsSync(join(cwd, '.loopwright'))).toBe(false);
    expect(git(cwd, 'for-each-ref')).not.toContain('loopwright');
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(join(cwd, '.git/loopwright'))).toBe(false);
    expect(readFileSync(join(cwd, '.git/info/exclude'), 'utf8')).not.toContain('loopwright');
  });
});

test('README names every page of docs', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  for (const name of ['team.md', 'storage.md', 'ci.md']) expect(readme).toContain(`docs/${name}`);
});
