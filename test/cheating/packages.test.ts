import { describe, expect, it } from 'vitest';
import { loopwright, wholeId, write } from '../cli/support.ts';
import { commitAll, git } from '../cli/workspace-support.ts';
import { cheatedProject } from './project.ts';

const GOAL = 'make sum add its numbers';
const PLUS = 'export const plus = (a, b) => a + b;\n';
const SOURCE = `import { plus } from 'plus';\nexport const sum = plus;\nexport const twice = (a) => a * 2;\n`;
const PACKAGE = { private: true, type: 'module', scripts: { test: 'node --test test/' } };
const DEPENDENCIES = { plus: 'file:vendor/plus' };
const LOCK = {
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { dependencies: DEPENDENCIES },
    'node_modules/plus': { resolved: 'vendor/plus', link: true },
    'vendor/plus': {},
  },
};
/** Takes each dependency from a folder, as a package manager does from its registry. */
const INSTALL = `import { cpSync, readFileSync } from 'node:fs';
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of Object.keys(dependencies)) cpSync('vendor/' + name, 'node_modules/' + name, { recursive: true });
`;

const VENDOR = {
  'vendor/plus/package.json': { name: 'plus', version: '1.0.0', type: 'module', main: 'index.js' },
  'vendor/plus/index.js': PLUS,
  'install.mjs': INSTALL,
};
const text = (value: unknown) => JSON.stringify(JSON.stringify(value));
const declares = `write('package.json', ${text({ ...PACKAGE, dependencies: DEPENDENCIES })}); write('package-lock.json', ${text(LOCK)});`;
const uses = `write('src/sum.mjs', ${JSON.stringify(SOURCE)});`;
const installs = `${declares} ${uses} const { execFileSync } = await import('node:child_process'); execFileSync(process.execPath, ['install.mjs']);`;

function project(act: string, worktrees: object): string {
  const cwd = cheatedProject({ act, files: VENDOR });
  write(cwd, {
    '.loopwright/config.json': {
      workers: { Coder: { agent: 'cheat', permissions: 'edits' } },
      commands: { test: 'node --test test/' },
      worktrees,
    },
    'node_modules/old/index.js': '',
  });
  return cwd;
}

describe('work that adds a dependency', () => {
  it.each([
    ['by the setup of worktrees', { setup: ['node install.mjs'] }],
    ['by what installs the packages of such a project', { share: ['node_modules'] }],
  ])('is tried with it %s, and is accepted on a base that has moved', async (_how, worktrees) => {
    const cwd = project(installs, worktrees);
    const run = ['run', GOAL, '--allow', 'package.json', '--allow', 'package-lock.json', '--allow', 'src/**'];
    const { code, stdout } = await loopwright(run, { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    const id = wholeId(/^session (\w+)$/m.exec(stdout)?.[1]);
    write(cwd, { 'other.txt': 'moved\n' });
    commitAll(cwd, 'the base moves');
    const accepted = await loopwright(['accept', id], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.anything()]);
    expect(git(cwd, 'show', 'HEAD:src/sum.mjs')).toContain('plus');
  });

  it('has it from the delivered files, never from the folder of the work', async () => {
    const planted = `${declares} ${uses} write('node_modules/plus/package.json', '{"type":"module","main":"index.js"}'); write('node_modules/plus/index.js', ${JSON.stringify(PLUS)}); write('vendor/plus/index.js', ${JSON.stringify(PLUS.replace('+', '-'))});`;
    const cwd = project(planted, { setup: ['node install.mjs'] });
    const { code, stdout } = await loopwright(
      ['run', GOAL, '--allow', 'package.json', '--allow', 'package-lock.json', '--allow', '**'],
      { cwd },
    );
    expect([code, stdout]).toEqual([2, expect.stringContaining('(not_reproduced)')]);
  });
});
