import { describe, expect, it } from 'vitest';
import { loopwright, wholeId } from '../cli/support.ts';
import { git } from '../cli/workspace-support.ts';
import { CHEATS } from './cheats.ts';
import { cheatedProject, FIXED } from './project.ts';

const GOAL = 'make sum add its numbers';
const idIn = (printed: string) => wholeId(/^session (\w+)$/m.exec(printed)?.[1]);

describe('an agent that cheats in a run', () => {
  it.each(CHEATS.filter(({ only = 'run' }) => only === 'run'))(
    '$name: halted, and nothing is accepted by itself',
    async ({ says, refused = says, ...cheat }) => {
      const cwd = cheatedProject(cheat);
      const ended = await loopwright(['run', GOAL], { cwd });
      expect([ended.code, ended.stdout]).toEqual([2, expect.stringContaining('halted')]);
      expect(ended.stdout).toMatch(says);
      const before = git(cwd, 'rev-parse', 'main');
      const accepted = await loopwright(['accept', idIn(ended.stdout)], { cwd });
      expect([accepted.code, accepted.stderr]).toEqual([1, expect.stringMatching(refused)]);
      expect(git(cwd, 'rev-parse', 'main')).toBe(before);
    },
  );

  it('who was told that tests may change is believed about tests, and about nothing else', async () => {
    const turned = CHEATS.find(({ name }) => name === 'turns an assertion round');
    const cwd = cheatedProject({ act: turned?.act ?? '' });
    const { code, stdout } = await loopwright(['run', GOAL, '--tests', 'may-change'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    // Told where it ends, where it is looked at, and in what is delivered.
    const note = /\(tests\): the test "adds" failed on the base and still fails .*\(old_test_red\)/;
    expect(stdout).toMatch(new RegExp(`  note: ${note.source}`));
    const id = idIn(stdout);
    expect((await loopwright(['show', id], { cwd })).stdout).toMatch(new RegExp(`  note: ${note.source}`));
    const shown = await loopwright(['show', id, '--json'], { cwd });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      suspicious: [{ rule: 'old_test_red', weight: 'soft' }],
    });
    expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
    const body = git(cwd, 'log', '-1', '--format=%B', 'main');
    expect(body).toMatch(new RegExp(`^Noted about its checks:\\n- ${note.source}$`, 'm'));
    const silenced = CHEATS.find(({ name }) => name === 'lets the script run less');
    const other = cheatedProject({ act: silenced?.act ?? '', command: 'npm test' });
    const halted = await loopwright(['run', GOAL, '--tests', 'may-change', '--json'], { cwd: other });
    const result: unknown = JSON.parse(halted.stdout.trim().split('\n').at(-1) ?? '');
    const found = expect.arrayContaining([
      expect.objectContaining({ rule: 'check_changed', weight: 'hard' }),
    ]);
    expect([halted.code, result]).toEqual([2, expect.objectContaining({ suspicious: found })]);
  });

  it('accepted all the same, the commit names each change and why', async () => {
    const rewrites = CHEATS.find(({ name }) => name === 'rewrites the snapshot instead of the code');
    const cwd = cheatedProject({ act: rewrites?.act ?? '', files: rewrites?.files ?? {} });
    const { stdout } = await loopwright(['run', GOAL], { cwd });
    const why = 'the snapshot was wrong';
    const accepted = await loopwright(['accept', idIn(stdout), '--suspicious', why], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    const body = git(cwd, 'log', '-1', '--format=%B', 'main');
    expect(body).toContain(why);
    expect(body).toMatch(/test\/__snapshots__\/sum\.snap: a snapshot was rewritten.*\(snapshot_rewritten\)/);
  });

  it('one that works honestly completes, with tests that were red before as its evidence', async () => {
    const act = `write('src/sum.mjs', ${JSON.stringify(FIXED)}); edit('test/sum.test.mjs', "test('doubles'", "test('adds twice', () => { assert.equal(sum(1, 5), 6); });\\ntest('doubles'");`;
    const cwd = cheatedProject({ act });
    const { code, stdout } = await loopwright(['run', GOAL], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    const accepted = await loopwright(['accept', idIn(stdout)], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
  });
});

describe('a workflow that does not look at its checks', () => {
  const flow = {
    workers: { Coder: {} },
    gates: ['Main__Test'],
    nodes: {
      Main: {
        entry_block: 'Work',
        blocks: {
          Work: { worker: 'Coder', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Test' }] },
          Test: {
            worker: 'Internal:TestRunner',
            transitions: [
              { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
              { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
            ],
          },
        },
      },
    },
  };

  it('leans on what git ignores: its gates run on what would be delivered before it is', async () => {
    const leans = CHEATS.find(({ name }) => name === 'leans on a file that git ignores already');
    const { Work, Test } = flow.nodes.Main.blocks;
    const gate = { ...Test, worker: 'Internal:Command', with: { argv: ['node', '--test', 'test/'] } };
    const nodes = { Main: { entry_block: 'Work', blocks: { Work, Test: gate } } };
    const cwd = cheatedProject({ act: leans?.act ?? '', files: { 'w.json': { ...flow, nodes } } });
    const { code, stdout } = await loopwright(['run', GOAL, '-w', 'w.json', '--no-baseline'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    const before = git(cwd, 'rev-parse', 'main');
    const accepted = await loopwright(['accept', idIn(stdout)], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([
      1,
      expect.stringContaining('main would fail its checks'),
    ]);
    expect(accepted.stdout).toMatch(
      /beside what is not delivered \(node_modules\/.*\): running them on a fresh/,
    );
    expect(git(cwd, 'rev-parse', 'main')).toBe(before);
    const unproven = await loopwright(['accept', idIn(stdout), '--unproven'], { cwd });
    expect([unproven.code, git(cwd, 'log', '-1', '--format=%B', 'main')]).toEqual([
      0,
      expect.stringContaining('its checks ran beside what is not delivered: node_modules/'),
    ]);
  });

  it('completes, and accept looks before anything is delivered', async () => {
    const weak = CHEATS.find(({ name }) => name === 'weakens an assertion');
    const cwd = cheatedProject({ act: weak?.act ?? '', files: { 'w.json': flow } });
    const { code, stdout } = await loopwright(['run', GOAL, '-w', 'w.json'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    const before = git(cwd, 'rev-parse', 'main');
    const accepted = await loopwright(['accept', idIn(stdout)], { cwd });
    expect([accepted.code, accepted.stderr]).toEqual([1, expect.stringContaining('(old_test_red)')]);
    expect(git(cwd, 'rev-parse', 'main')).toBe(before);
    const told = await loopwright(['accept', idIn(stdout), '--suspicious', 'as agreed'], { cwd });
    expect([told.code, told.stderr]).toEqual([0, '']);
  });
});
