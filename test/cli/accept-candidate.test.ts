import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEndedState } from '../../src/process/identity.ts';
import { systemProcesses } from '../../src/process/process-table.ts';
import { appears, loopwright, start, tempFolder, write } from './support.ts';
import { commitAll, document, git, read, repository, runToEnd } from './workspace-support.ts';

/** Every file in `checks/` has its say; `hold.json` names a folder in which the run waits to be let go. */
const CHECK = `
import { chmodSync, existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
for (const name of existsSync('checks') ? readdirSync('checks').sort() : []) await import(resolve('checks', name));
if (existsSync('hold.json')) {
  const { folder } = JSON.parse(readFileSync('hold.json', 'utf8'));
  await new Promise((done) => {
    const watcher = watch(folder, look);
    function look() {
      if (!existsSync(join(folder, 'go'))) return;
      watcher.close();
      done();
    }
    writeFileSync(join(folder, 'started'), String(process.pid));
    look();
  });
}
console.log('all is well');
`;

const command = (argv: readonly string[], next: string) => ({
  worker: 'Internal:Command',
  with: { argv: ['node', ...argv] },
  transitions: [
    { on_signal: 'SIGNAL:SUCCESS', action: next },
    { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
  ],
});

/** A session that writes `a.txt`; its gate is `node check.mjs`. */
const GATED = {
  nodes: {
    Main: {
      entry_block: 'Write',
      blocks: {
        Write: command(['act.mjs', 'write', 'a.txt', 'one\n'], 'JUMP:Check'),
        Check: command(['check.mjs'], 'RETURN'),
      },
    },
  },
  gates: ['Main__Check'],
};

const project = () => repository({ 'w.json': GATED, 'check.mjs': CHECK });

/** The base branch gains a check that the session's work does not pass. */
function contradict(cwd: string): void {
  const check = `import { readFileSync } from 'node:fs';
if (readFileSync('a.txt', 'utf8') !== 'zero\\n') {
  console.error('a.txt must stay zero');
  process.exit(3);
}
`;
  write(cwd, { 'checks/a.mjs': check });
  commitAll(cwd, 'a.txt stays zero');
}

/** The base moves without a word about the session's files; the checks that follow wait in the folder. */
function holdChecks(cwd: string): string {
  const folder = tempFolder();
  write(cwd, { 'hold.json': { folder } });
  commitAll(cwd, 'checks wait');
  return folder;
}

const candidates = (cwd: string): string[] =>
  existsSync(join(cwd, '.loopwright/candidates')) ? readdirSync(join(cwd, '.loopwright/candidates')) : [];
const treeOf = (cwd: string, ref = 'main'): string => git(cwd, 'rev-parse', `${ref}^{tree}`);
const message = (cwd: string): string => git(cwd, 'log', '-1', '--format=%B', 'main');

describe('accept where the base has moved', () => {
  it('a base that contradicts the work stays as it is: the gate runs on what it would become', async () => {
    const cwd = project();
    const { id } = await runToEnd(cwd);
    contradict(cwd);
    const head = git(cwd, 'rev-parse', 'main');
    const refused = await loopwright(['accept', id], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toBe(
      'main would become what no check has seen: running the checks on it: `node check.mjs`...\n',
    );
    expect(refused.stderr).toContain('With this work main would fail its checks, so nothing was delivered.');
    expect(refused.stderr).toMatch(/`node check\.mjs` \(Main__Check\) fails[^]*a\.txt must stay zero/);
    expect(refused.stderr).toMatch(/\nnext: Take it back [^]* rewind \w{6} --to 1\n/);
    const log = /The whole log: (.+)\n/.exec(refused.stderr)?.[1] ?? '';
    expect(read('/', log)).toContain('a.txt must stay zero');
    expect([git(cwd, 'rev-parse', 'main'), git(cwd, 'status', '--porcelain')]).toEqual([head, '']);
    expect([candidates(cwd), git(cwd, 'worktree', 'list').split('\n')]).toEqual([[], expect.any(Array)]);
    expect(git(cwd, 'worktree', 'list')).not.toContain('candidates');

    expect((await loopwright(['accept', id, '--unproven'], { cwd })).code).toBe(0);
    const tree = treeOf(cwd).slice(0, 12);
    expect(message(cwd)).toContain(
      `Not proven when it was accepted:\n- no check has seen the tree ${tree} that main gets`,
    );
  });

  it('green on what the base would become, that very tree lands and the commit names it', async () => {
    const cwd = project();
    const { id } = await runToEnd(cwd);
    write(cwd, { 'other.txt': 'other\n' });
    commitAll(cwd, 'moved');
    const accepted = await loopwright(['accept', id], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(accepted.stdout).toMatch(
      /^main would become what no check has seen[^\n]*\.\.\.\nAccepted: 1 file/,
    );
    expect([read(cwd, 'a.txt'), read(cwd, 'other.txt'), candidates(cwd)]).toEqual(['one\n', 'other\n', []]);
    const tree = treeOf(cwd).slice(0, 12);
    expect(message(cwd)).toContain(`Checked:\n- Main__Check: \`node check.mjs\` passed on tree ${tree}\n`);
  });

  it('nothing runs again where the base gets the very tree that the gate saw', async () => {
    const cwd = project();
    const { id } = await runToEnd(cwd);
    const accepted = await loopwright(['accept', id], { cwd });
    expect(accepted.stdout).toMatch(/^Accepted: 1 file/);
    expect(message(cwd)).toContain(`passed on tree ${treeOf(cwd).slice(0, 12)}\n`);
    expect(existsSync(join(cwd, '.loopwright/candidates'))).toBe(false);
  });

  it('it is made ready as worktrees are: copied files are there, and setup runs', async () => {
    const cwd = project();
    write(cwd, {
      '.loopwright/config.json': {
        worktrees: { copy: ['.env'], setup: [['node', 'act.mjs', 'write', 'made.txt', 'made\n']] },
      },
      '.env': 'A=1\n',
      '.gitignore': '.env\nmade.txt\n',
      'checks/made.mjs':
        "import { readFileSync } from 'node:fs';\nif (readFileSync('made.txt', 'utf8') + readFileSync('.env', 'utf8') !== 'made\\nA=1\\n') process.exit(4);\n",
    });
    commitAll(cwd, 'set up');
    const { id } = await runToEnd(cwd);
    write(cwd, { 'other.txt': 'other\n' });
    commitAll(cwd, 'moved');
    const accepted = await loopwright(['accept', id], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(accepted.stdout).toContain('running the checks on it');
  });

  it('a base that moves again while the checks run is checked anew', async () => {
    const cwd = project();
    const { id } = await runToEnd(cwd);
    const folder = holdChecks(cwd);
    const accepting = start(['accept', id], { cwd });
    await appears(folder, 'started');
    contradict(cwd);
    writeFileSync(join(folder, 'go'), '');
    const { code, stderr, stdout } = await accepting.ended;
    expect([code, stdout.match(/running the checks on it/g)]).toEqual([1, expect.any(Array)]);
    expect(stdout.match(/running the checks on it/g)).toHaveLength(2);
    expect(stderr).toContain('a.txt must stay zero');
    expect([git(cwd, 'log', '-1', '--format=%s', 'main'), candidates(cwd)]).toEqual(['a.txt stays zero', []]);
  });

  it('Ctrl-C ends the checks with nothing delivered; a kill leaves nothing that stays', async () => {
    const cwd = project();
    const { id } = await runToEnd(cwd);
    const folder = holdChecks(cwd);
    const head = git(cwd, 'rev-parse', 'main');
    const stopped = start(['accept', id], { cwd });
    await appears(folder, 'started');
    stopped.child.kill('SIGINT');
    const ended = await stopped.ended;
    expect([ended.code, ended.stderr]).toEqual([130, 'interrupted: nothing was delivered\n']);
    expect([git(cwd, 'rev-parse', 'main'), candidates(cwd)]).toEqual([head, []]);

    const again = tempFolder();
    write(cwd, { 'hold.json': { folder: again } });
    commitAll(cwd, 'another folder');
    const killed = start(['accept', id], { cwd });
    await appears(again, 'started');
    const check = Number(read(again, 'started'));
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(candidates(cwd)).toHaveLength(2);
    await document(['worktrees', 'gc'], cwd);
    expect([candidates(cwd), git(cwd, 'worktree', 'list')]).toEqual([
      [],
      expect.not.stringContaining('candidates'),
    ]);
    const row = systemProcesses.row(check);
    expect(row === undefined || isEndedState(row.state)).toBe(true);
    writeFileSync(join(again, 'go'), '');
    expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
  });

  it('two at once deliver it once', async () => {
    const cwd = project();
    const { id } = await runToEnd(cwd);
    const folder = holdChecks(cwd);
    const both = [start(['accept', id, '--json'], { cwd }), start(['accept', id, '--json'], { cwd })];
    await appears(folder, 'started');
    writeFileSync(join(folder, 'go'), '');
    const ended = await Promise.all(both.map((each) => each.ended));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const kinds = ended.map(({ stdout }) => (JSON.parse(stdout) as { kind: string }).kind).sort();
    expect(kinds).toEqual(['accepted', 'already-accepted']);
    expect(git(cwd, 'log', '--format=%s', 'main').split('\n')).toEqual(['change it', 'checks wait', 'start']);
  });

  it('what hooks made of the work is checked before it lands', async () => {
    const cwd = project();
    const { id } = await runToEnd(cwd);
    const hook = join(cwd, '.git/hooks/pre-commit');
    write(cwd, { '.git/hooks/pre-commit': '#!/bin/sh\nprintf "hooked\\n" > b.txt\ngit add b.txt\n' });
    chmodSync(hook, 0o755);
    const accepted = await loopwright(['accept', id], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    expect(accepted.stdout).toContain('running the checks on it');
    expect(read(cwd, 'b.txt')).toBe('hooked\n');
    expect(message(cwd)).toContain(`passed on tree ${treeOf(cwd).slice(0, 12)}\n`);
  });

  it('a check that proves nothing any more on what the base would become is red', async () => {
    const tested = {
      ...GATED,
      nodes: {
        Main: {
          entry_block: 'Write',
          blocks: {
            Write: command(['act.mjs', 'write', 'a.txt', 'one\n'], 'JUMP:Check'),
            Check: {
              worker: 'Internal:TestRunner',
              transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }],
            },
          },
        },
      },
    };
    const script = (test: string) => ({ 'package.json': { private: true, scripts: { test } } });
    const cwd = repository({ 'w.json': tested, 'check.mjs': CHECK, ...script('node check.mjs') });
    const { id } = await runToEnd(cwd);
    write(cwd, script('true'));
    commitAll(cwd, 'nothing is tested');
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/With this work main would fail its checks[^]*passed, but .*proves nothing/),
    ]);
    expect(git(cwd, 'log', '-1', '--format=%s', 'main')).toBe('nothing is tested');
  });

  it('a gate that only its session can ask is a doubt once the base has moved', async () => {
    const judge = {
      ...GATED,
      workers: { Judge: { command: ['node', 'judge.mjs'] } },
      nodes: {
        Main: {
          entry_block: 'Write',
          blocks: {
            Write: command(['act.mjs', 'write', 'a.txt', 'one\n'], 'JUMP:Judge'),
            Judge: {
              worker: 'Judge',
              transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }],
            },
          },
        },
      },
      gates: ['Main__Judge'],
    };
    const says = 'process.stdin.resume();\nconsole.log(JSON.stringify({ signal: "SIGNAL:SUCCESS" }));\n';
    const cwd = repository({ 'w.json': judge, 'judge.mjs': says });
    const { id } = await runToEnd(cwd);
    write(cwd, { 'other.txt': 'other\n' });
    commitAll(cwd, 'moved');
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /is not proven: Main__Judge cannot be asked again outside of its session \(Judge\), and main has moved since it passed\.\nnext: .* --unproven\n/,
      ),
    ]);
  });
});
