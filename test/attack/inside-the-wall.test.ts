import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/sandbox.ts';
import { loopwright, tempFolder, write } from '../cli/support.ts';

const { sandbox } = await findSandbox();
const walled = sandbox === undefined ? describe.skip : describe;

/** A person's home with keys and logins, and a program of theirs in one of its folders, run as a command. */
function home(folder: string, level: string, program: string) {
  const home = join(tempFolder(), 'home');
  const cwd = join(home, 'project');
  const block = { worker: 'Internal:Command', with: { argv: ['look'] }, transitions: [] };
  write(home, {
    '.ssh/id': 'KEY OF ADA',
    '.local/share/opencode/auth.json': 'LOGIN OF ADA',
    '.local/share/other': 'other',
    '.npm/x': '',
    '.cache/x': '',
    'project/w.json': { nodes: { N: { entry_block: 'B', blocks: { B: block } } } },
    'project/.gitignore': 'seen.txt\n.loopwright\n',
    'project/.loopwright/config.json': {},
    'project/.loopwright/sessions/earlier/logs/a.log': 'WORDS OF ANOTHER SESSION',
  });
  mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, folder, 'look'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], {
      cwd,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  const PATH = [join(home, folder), dirname(process.execPath), process.env['PATH']].join(delimiter);
  return { cwd, git, env: { HOME: home, PATH, LOOPWRIGHT_SANDBOX: level } };
}

walled('a program that is installed in the home folder', () => {
  it.each([
    ['bin', 'standard'],
    ['bin', 'strict'],
    ['.local/bin', 'standard'],
    ['.local/bin', 'strict'],
    ['.', 'standard'],
  ])('in ~/%s does not open what is hidden there (%s)', async (folder, level) => {
    const look =
      'cat "$HOME/.ssh/id" "$HOME/.local/share/opencode/auth.json" .loopwright/sessions/earlier/logs/a.log > seen.txt 2>/dev/null; echo looked >> seen.txt';
    const { cwd, env } = home(folder, level, look);
    const args = ['run', '-w', 'w.json', 'look around', '--in-place'];
    const { code, stderr } = await loopwright(args, { cwd, env });
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(cwd, 'seen.txt'), 'utf8')).toBe('looked\n');
  });
});

walled('what loopwright notes about a worktree', () => {
  it('is not the agent’s to write: it would hide a change from every look at the files', async () => {
    const hide = `cd "$(git rev-parse --git-dir)"
      mkdir -p loopwright; echo '["w.json"]' > loopwright/copied.json; echo '["w.json"]' > loopwright-copied.json
      mv loopwright elsewhere; cd - >/dev/null; echo '{}' > w.json; echo work > work.txt`;
    const { cwd, env } = home('bin', 'standard', hide);
    const ran = await loopwright(['run', '-w', 'w.json', 'hide it', '--json'], { cwd, env });
    const [, id = ''] = /"session":"([^"]+)"/.exec(ran.stdout) ?? [];
    const { stdout } = await loopwright(['diff', id, '--stat'], { cwd, env });
    expect(stdout).toContain('work.txt');
    expect(stdout).toContain('w.json');
  });
});
