import { describe, expect, it } from 'vitest';
import { loopwright, wholeId } from '../cli/support.ts';
import { git } from '../cli/workspace-support.ts';
import { CHEATS } from './cheats.ts';
import { cheatedProject, FIXED } from './project.ts';

const GOAL = 'make sum add its numbers';
const idIn = (printed: string) => wholeId(/^session (\w+)$/m.exec(printed)?.[1]);

describe('an agent that cheats in a run', () => {
  it.each(CHEATS)(
    '$name: halted, and nothing is accepted by itself',
    async ({ act, files, says, refused = says }) => {
      const cwd = cheatedProject({ act, ...(files ? { files } : {}) });
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
    const silenced = CHEATS.find(({ name }) => name === 'lets the script run less');
    const other = cheatedProject({ act: silenced?.act ?? '' });
    const halted = await loopwright(['run', GOAL, '--tests', 'may-change'], { cwd: other });
    expect([halted.code, halted.stdout]).toEqual([2, expect.stringContaining('check_changed')]);
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
