import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/sandbox.ts';
import { loopwright, tempFolder, write } from '../cli/support.ts';

const { sandbox } = await findSandbox();

/** A repository with a program that is run as a command of a workflow, in a worktree; what it does is the attack. */
function attacked(attack: string, level = 'off') {
  const base = tempFolder();
  const cwd = join(base, 'home', 'project');
  mkdirSync(cwd, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], {
      cwd,
      encoding: 'utf8',
    });
  const program = `
    const fs = require('fs'), path = require('path');
    const { execFileSync } = require('child_process');
    const main = ${JSON.stringify(cwd)}, ran = ${JSON.stringify(join(base, 'ran'))};
    const put = (file, text, mode = 0o755) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text, { mode }); };
    const git = (...args) => execFileSync('git', ['-c', 'user.name=M', '-c', 'user.email=m@b.c', ...args], { encoding: 'utf8' });
    fs.writeFileSync('work.txt', 'work');
    try { ${attack} } catch (error) { fs.writeFileSync('refused.txt', String(error.code ?? error)); }`;
  const block = { worker: 'Internal:Command', with: { argv: ['node', 'evil.js'] }, transitions: [] };
  write(cwd, {
    'a.txt': 'a',
    'evil.js': program,
    'w.json': { nodes: { N: { entry_block: 'B', blocks: { B: block } } } },
    '.loopwright/config.json': {},
  });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'a@b.c');
  git('add', 'a.txt', 'evil.js', 'w.json');
  git('commit', '-q', '-m', 'start');
  const place = { cwd, env: { HOME: join(base, 'home'), LOOPWRIGHT_SANDBOX: level } };
  const run = async (...more: string[]) => {
    const done = await loopwright(['run', '-w', 'w.json', 'do it', '--json', ...more], place);
    const [, id = ''] = /"session":"([^"]+)"/.exec(done.stdout) ?? [];
    return { ...done, id };
  };
  const touch = `#!/bin/sh\ntouch '${join(base, 'ran')}'\n`;
  return { base, cwd, git, run, place, touch, ran: () => existsSync(join(base, 'ran')) };
}

const TOUCH = '`#!/bin/sh\\ntouch ${ran}\\n`';

/** Each with what is said about it. Every one of them used to end as completed, and `accept` ran what was planted. */
const ATTACKS: readonly [string, string, string][] = [
  ['a hook', `put(main + '/.git/hooks/pre-commit', ${TOUCH});`, 'hooks/pre-commit (new)'],
  ['a hook for the person', `put(main + '/.git/hooks/post-merge', ${TOUCH});`, 'hooks/post-merge (new)'],
  [
    'a file monitor',
    `put('/' + ran.slice(1) + '.sh', ${TOUCH}); git('-C', main, 'config', 'core.fsmonitor', ran + '.sh');`,
    'config [core] (changed)',
  ],
  [
    'a filter and attributes for it',
    `put(ran + '.sh', ${TOUCH} + 'cat\\n'); git('-C', main, 'config', 'filter.x.clean', ran + '.sh'); put(main + '/.git/info/attributes', '* filter=x\\n');`,
    'config [filter "x"] (new)',
  ],
  [
    'a filter, with attributes in the tree',
    `put(ran + '.sh', ${TOUCH} + 'cat\\n'); git('-C', main, 'config', 'filter.x.clean', ran + '.sh'); put('.gitattributes', '* filter=x\\n');`,
    'config [filter "x"] (new)',
  ],
  [
    'a program that signs',
    `put(ran + '.sh', ${TOUCH}); git('-C', main, 'config', 'gpg.program', ran + '.sh'); git('-C', main, 'config', 'commit.gpgSign', 'true');`,
    'config [gpg] (new)',
  ],
  [
    'settings from elsewhere',
    `put(ran + '.cfg', '[core]\\n\\tfsmonitor = x\\n'); git('-C', main, 'config', 'include.path', ran + '.cfg');`,
    'config [include] (new)',
  ],
  [
    'another store of objects',
    `put(main + '/.git/objects/info/alternates', '/elsewhere\\n');`,
    'objects/info/alternates (new)',
  ],
  [
    'the branch of the person, taken back',
    `const c = git('commit-tree', 'HEAD^{tree}', '-m', 'forged').trim(); git('update-ref', 'refs/heads/main', c);`,
    'refs/heads/main (rewritten)',
  ],
  [
    'the branch of the person, with its own work',
    `git('add', 'work.txt'); git('commit', '-qm', 'mine'); git('update-ref', 'refs/heads/main', 'HEAD');`,
    'refs/heads/main (took in the work of the session)',
  ],
  [
    'a replaced object',
    `const c = git('commit-tree', 'HEAD^{tree}', '-m', 'forged').trim(); git('replace', 'HEAD', c);`,
    'refs/replace/',
  ],
  [
    'the settings of loopwright',
    `put(main + '/.loopwright/config.json', '{"commands":{"test":"true"}}');`,
    '.loopwright/config.json (changed)',
  ],
  [
    'an agent of its own',
    `put(main + '/.loopwright/adapters/claude.json', '{}');`,
    '.loopwright/adapters/claude.json (new)',
  ],
  [
    'a repository of its own, by the .git file',
    `git('init', '-q', ran + '-repo'); put(ran + '-repo/.git/hooks/pre-commit', ${TOUCH}); fs.writeFileSync('.git', 'gitdir: ' + ran + '-repo/.git\\n');`,
    '.git (changed)',
  ],
  [
    'a repository of its own, as a folder',
    `fs.rmSync('.git'); git('init', '-q', '.'); put('.git/hooks/pre-commit', ${TOUCH});`,
    '.git (changed)',
  ],
];

describe('without a wall, a command that plants', () => {
  it.each(ATTACKS)(
    '%s: the session halts and says so, and nothing of it runs or is accepted',
    async (_, attack, named) => {
      const { run, place, ran } = attacked(attack);
      const { id, stdout, code } = await run();
      expect(stdout).toContain('"reason":"tampered"');
      expect(stdout.replaceAll('\\"', '"')).toContain(named);
      expect(code).not.toBe(0);
      expect((await loopwright(['show', id], place)).stdout).toContain('halted (tampered)');
      const accepted = await loopwright(['accept', id], place);
      expect(accepted.code).not.toBe(0);
      const forced = await loopwright(['accept', id, '--unproven'], place);
      expect([forced.code === 0, forced.stderr]).toEqual([
        false,
        expect.stringContaining('before somebody has looked'),
      ]);
      expect(ran()).toBe(false);
    },
  );

  it('a hook: once it is put back and the session goes on, it completes and is accepted', async () => {
    const { run, place, cwd, git } = attacked(`put(main + '/.git/hooks/pre-commit', ${TOUCH});`);
    const { id } = await run();
    execFileSync('rm', [join(cwd, '.git/hooks/pre-commit')]);
    const resumed = await loopwright(['resume', id], place);
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    const accepted = await loopwright(['accept', id], place);
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(git('show', 'main:work.txt')).toBe('work');
  });

  it('a repository of its own in place of .git: going on puts the link right, and its hooks are not run', async () => {
    const attack = ATTACKS.find(([name]) => name.endsWith('as a folder'))?.[1] ?? '';
    const { run, place, git, ran } = attacked(attack);
    const { id } = await run();
    const resumed = await loopwright(['resume', id], place);
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    expect(resumed.stdout).toContain('.git of the worktree had been replaced');
    const accepted = await loopwright(['accept', id], place);
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(git('show', 'main:work.txt')).toBe('work');
    expect(ran()).toBe(false);
  });

  it('in place: the settings are told as well, and no git that follows obeys them', async () => {
    const { run, ran } = attacked(
      `put(ran + '.sh', ${TOUCH}); git('-C', main, 'config', 'core.fsmonitor', ran + '.sh');`,
    );
    const { stdout } = await run('--in-place');
    expect(stdout).toContain('"reason":"tampered"');
    expect(ran()).toBe(false);
  });
});

describe('a repository inside of the tree', () => {
  it('is never entered, whatever its settings and hooks are', async () => {
    const { run, place, ran } = attacked(
      `git('init', '-q', 'sub'); put(ran + '.sh', ${TOUCH} + 'cat\\n'); put('sub/x', 'x');
       for (const [k, v] of [['core.fsmonitor', ran + '.sh'], ['filter.x.clean', ran + '.sh'], ['core.hooksPath', '/tmp']]) git('-C', 'sub', 'config', k, v);
       put('sub/.gitattributes', '* filter=x\\n'); put('sub/.git/hooks/post-index-change', ${TOUCH});`,
    );
    const { id, code } = await run();
    expect(code).toBe(0);
    await loopwright(['diff', id], place);
    await loopwright(['accept', id], place);
    expect(ran()).toBe(false);
  });
});

describe('what the person set up before', () => {
  it('keeps working: a filter at every checkpoint, hooks at the delivery', async () => {
    const { run, place, cwd, base, git } = attacked(`put('b.up', 'lower', 0o644);`);
    const filter = join(base, 'upper.sh');
    writeFileSync(filter, '#!/bin/sh\ntr a-z A-Z\n');
    chmodSync(filter, 0o755);
    git('config', 'filter.upper.clean', filter);
    write(cwd, { '.gitattributes': '*.up filter=upper\n' });
    git('add', '.gitattributes');
    git('commit', '-qm', 'attributes');
    const hook = join(cwd, '.git/hooks/commit-msg');
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho 'Checked: by hook' >> "$1"\n`);
    chmodSync(hook, 0o755);
    const { id, code } = await run();
    expect(code).toBe(0);
    const accepted = await loopwright(['accept', id], place);
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(git('show', 'main:b.up')).toBe('LOWER');
    const message = git('log', '-1', '--format=%B', 'main');
    expect(message).toContain('Checked: by hook');
    expect(message).toContain('Its steps ran with no sandbox: it is switched off.');
  });
});

const walled = sandbox === undefined ? describe.skip : describe;
walled('behind a wall', () => {
  it.each(ATTACKS.filter(([name]) => !name.includes('own work') && !name.includes('elsewhere')))(
    '%s cannot be planted',
    async (_, attack) => {
      const { run, ran, cwd } = attacked(attack, 'standard');
      const before = readFileSync(join(cwd, '.git/config'), 'utf8');
      const { code, stdout } = await run();
      expect([code, stdout.includes('tampered')]).toEqual([0, false]);
      expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(before);
      expect(readdirSync(join(cwd, '.git/hooks')).filter((name) => !name.endsWith('.sample'))).toEqual([]);
      expect(ran()).toBe(false);
    },
  );
});
