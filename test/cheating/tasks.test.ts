import { describe, expect, it } from 'vitest';
import { loopwright } from '../cli/support.ts';
import { git } from '../cli/workspace-support.ts';
import { CHEATS } from './cheats.ts';
import { CHECKED_BY, cheatedProject, FIXED } from './project.ts';

const ENV = { REPO_MODE: 'local-git', LLM_EXECUTOR: 'cheat', WORKER_VERIFY_RECOVERY_ATTEMPTS: '1' };

interface Shown {
  readonly state: string;
  readonly blockReason?: string;
}

async function workedOff(
  cwd: string,
  env: NodeJS.ProcessEnv = ENV,
  more: readonly string[] = [],
  command = CHECKED_BY,
): Promise<{ id: string; task: Shown; printed: string }> {
  const place = { cwd, env };
  const added = await loopwright(
    ['task', 'add', 'make sum add its numbers', '--command', command, '--json', ...more],
    place,
  );
  const { id } = JSON.parse(added.stdout) as { id: string };
  const role = more.includes('tester') ? ['--role', 'tester'] : [];
  await loopwright(['work', '--once', ...role], place);
  const { stdout } = await loopwright(['show', id, '--json'], place);
  const shown = await loopwright(['show', id], place);
  return { id, task: JSON.parse(stdout) as Shown, printed: shown.stdout };
}

describe('an agent that cheats on a task', () => {
  it.each(CHEATS.filter(({ only = 'task' }) => only === 'task'))(
    '$name: blocked, and never done',
    async ({ says, inTask = says, ...cheat }) => {
      const cwd = cheatedProject(cheat);
      const { id, task, printed } = await workedOff(cwd, ENV, [], cheat.command);
      expect([task.state, printed]).toEqual(['blocked', expect.stringMatching(inTask)]);
      const before = git(cwd, 'rev-parse', 'main');
      const judged = await loopwright(['judge', id, 'approve'], { cwd, env: ENV });
      expect([judged.code, git(cwd, 'rev-parse', 'main')]).toEqual([1, before]);
    },
  );

  it('what its checks leant on is only told where a person has switched that look off', async () => {
    const leans = CHEATS.find(({ name }) => name === 'leans on a file that git ignores already');
    const cwd = cheatedProject({ act: leans?.act ?? '' });
    const { printed } = await workedOff(cwd, { ...ENV, WORKER_VERIFY_FRESH: 'off' });
    expect(printed).toContain('state     blocked (awaiting_judge)\n');
    expect(printed).toMatch(/did not run on the delivered files alone.*beside them: node_modules\//);
  });

  it('one that works honestly waits for a verdict without a mark, and is approved', async () => {
    const act = `write('src/sum.mjs', ${JSON.stringify(FIXED)});`;
    const cwd = cheatedProject({ act });
    const { id, task, printed } = await workedOff(cwd);
    expect(task).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
    expect(printed).not.toContain('suspicious');
    // Nothing had to be run for that.
    expect(printed).toContain('nothing else in their folder is new or changed');
    const judged = await loopwright(['judge', id, 'approve'], { cwd, env: ENV });
    expect([judged.code, judged.stderr]).toEqual([0, '']);
  });
});

describe('an agent that cheats in the user’s own folder', () => {
  const env = { ...ENV, REPO_MODE: 'direct' };

  it.each(['weakens an assertion', 'skips the failing test', 'deletes the file of the tests'])(
    '%s: needs rework, with the change named',
    async (name) => {
      const cheat = CHEATS.find((each) => each.name === name);
      const cwd = cheatedProject({ act: cheat?.act ?? '' });
      const { task, printed } = await workedOff(cwd, env);
      expect(task).toMatchObject({
        state: 'blocked',
        blockReason: 'needs_rework',
        failureCode: 'suspicious_change',
      });
      expect(printed).toMatch(cheat?.says ?? /never/);
    },
  );

  it('nothing runs before the work there: fewer tests are seen where old tests always run', async () => {
    const cheat = CHEATS.find(({ name }) => name === 'makes the tests find less without touching one');
    const cwd = cheatedProject({ act: cheat?.act ?? '', files: cheat?.files ?? {} });
    const { task, printed } = await workedOff(cwd, { ...env, WORKER_VERIFY_OLD_TESTS: 'always' });
    expect(task).toMatchObject({ blockReason: 'needs_rework', failureCode: 'suspicious_change' });
    expect(printed).toContain('the test "3 and 0" is gone; on the base it passed');
  });

  it('an honest one is done', async () => {
    const cwd = cheatedProject({ act: `write('src/sum.mjs', ${JSON.stringify(FIXED)});` });
    const { task } = await workedOff(cwd, env);
    expect(task).toMatchObject({ state: 'done' });
  });
});

describe('what a person says about the tests of a task beforehand', () => {
  const turned = CHEATS.find(({ name }) => name === 'turns an assertion round')?.act ?? '';
  const removes = CHEATS.find(({ name }) => name === 'deletes the file of the tests')?.act ?? '';

  it('CHT-10 whoever tests may change a test, but not remove one', async () => {
    const edited = await workedOff(cheatedProject({ act: turned }), ENV, ['--role', 'tester']);
    expect(edited.printed).toContain('state     blocked (awaiting_judge)\n');
    const removed = await workedOff(cheatedProject({ act: removes }), ENV, ['--role', 'tester']);
    expect(removed.printed).toContain('blocked (awaiting_judge), suspicious');
  });

  it('the goal is about tests: what became of them is told, and nobody has to answer for it', async () => {
    const { printed } = await workedOff(cheatedProject({ act: removes }), ENV, ['--tests', 'may-change']);
    expect(printed).toContain('state     blocked (awaiting_judge)\n');
    expect(printed).toContain('note: ');
  });

  it('CHT-04 a test must show the change: one that proves nothing does not', async () => {
    const fix = `write('src/sum.mjs', ${JSON.stringify(FIXED)});`;
    const vain = `${fix} write('test/new.test.mjs', "import { test } from 'node:test';\\ntest('is there', () => {});\\n");`;
    const files = { 'test/sum.test.mjs': "import { test } from 'node:test';\ntest('loads', () => {});\n" };
    const doubtful = await workedOff(cheatedProject({ act: vain, files }), ENV, ['--red-green']);
    expect(doubtful.printed).toContain('blocked (awaiting_judge), suspicious');
    expect(doubtful.printed).toMatch(/\(no_red_green\)[^]*\(test_proves_nothing\)/);
    const shown = await workedOff(cheatedProject({ act: fix }), ENV, ['--red-green']);
    expect(shown.printed).toContain('red without the change, green with it: "adds"');
    expect(shown.printed).not.toContain('suspicious');
  });
});
