import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';

/** A repository whose agent runs one line of shell and says that it is done. */
function project(line: string) {
  const cwd = repository({
    'check.mjs': "import { readFileSync } from 'node:fs'; readFileSync('src/a.txt');\n",
    'package.json': '{ "scripts": { "test": "node check.mjs" } }\n',
    'src/a.txt': 'a\n',
  });
  const program = join(cwd, '.git', 'agent.sh');
  write(cwd, {
    '.git/agent.sh': `#!/bin/sh\n${line}\necho Done.\n`,
    '.loopwright/adapters/wrecker.json': {
      metadata: { displayName: 'Wrecker' },
      binary: { command: program, versionArgs: [] },
      modes: { headless: {} },
    },
  });
  chmodSync(program, 0o755);
  const call = (...args: string[]) => loopwright(args, { cwd });
  const run = () => call('run', 'do it', '--agent', 'wrecker');
  const tree = () => {
    const folder = join(cwd, '.loopwright', 'worktrees');
    return join(folder, readdirSync(folder)[0] ?? '');
  };
  return { cwd, call, run, tree };
}

const FILES = ['.git', 'a.txt', 'act.mjs', 'check.mjs', 'package.json', 'src', 'w.json'];

describe('an agent that destroys what it works on', () => {
  it.each([
    ['every file', 'rm -rf -- *'],
    ['every file and its .git', 'rm -rf -- * .g* .l*'],
    ['every file, and leaves folders', 'find . -name .git -prune -o -type f -exec rm -f {} +'],
  ])('deletes %s: told, halted, put back', async (_, line) => {
    const { run, call, tree } = project(line);
    const { code, stdout } = await run();
    expect(code).toBe(2);
    expect(stdout).toMatch(/step 1 deleted every file \(\d+\) of the folder it works in\./);
    expect(stdout).toContain('What was there before is back');
    expect(stdout).not.toContain('accept');
    expect(readdirSync(tree()).sort()).toEqual(FILES);
    expect(readFileSync(join(tree(), 'src/a.txt'), 'utf8')).toBe('a\n');
    expect(git(tree(), 'status', '--porcelain')).toBe('');
    const { halt } = JSON.parse((await call('show', '--json')).stdout) as { halt: object };
    expect(halt).toMatchObject({ reason: 'emptied' });
  });

  it('deletes the .git of its tree: told, halted, put back', async () => {
    const { run, tree } = project('rm -rf .git; echo b > src/b.txt');
    const { code, stdout } = await run();
    expect([code, stdout]).toEqual([2, expect.stringContaining('.git (deleted, and put back)')]);
    expect(git(tree(), 'status', '--porcelain')).toBe('?? src/b.txt');
  });

  it('deletes the records of its session: told in one sentence, without a trace of the program', async () => {
    const { run, cwd } = project(`rm -rf '../../../.loopwright'`);
    const { code, stderr } = await run();
    expect(code).toBe(1);
    expect(stderr).toContain('were deleted while one of its steps ran: it cannot go on');
    expect(stderr).toContain('with a sandbox');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(join(cwd, 'src/a.txt'))).toBe(true);
    rmSync(join(cwd, '.loopwright'), { recursive: true, force: true });
  });

  it('deletes one file of many: that is work like any other', async () => {
    const { run } = project('rm package.json');
    expect((await run()).stdout).not.toContain('deleted every file');
  });
});
