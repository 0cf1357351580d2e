import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openAt } from '../../src/project/open.ts';
import { work } from '../../src/project/runtime/work.ts';
import { SqliteScheduler } from '../../src/store/sqlite/scheduler.ts';
import { jsonLines, loopwright, tempFolder, write } from '../cli/support.ts';

/** A project without git whose agent plays this script. */
function project(script: object) {
  const cwd = tempFolder();
  write(cwd, { 'script.json': script });
  const env = {
    REPO_MODE: 'direct',
    LOCAL_REPO_PATH: cwd,
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
  };
  return { cwd, env };
}

describe('what a person is told', () => {
  it('the story of a task says why an attempt failed', async () => {
    const place = project({ steps: [{ fail: { message: 'no licence for this' } }] });
    await loopwright(['task', 'add', 'fails'], place);
    await loopwright(['work', '--once'], place);
    const [task] = JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout).tasks as {
      id: string;
    }[];
    const { stdout } = await loopwright(['show', task?.id ?? ''], place);
    expect(stdout).toMatch(/attempt 1 failed[^]*no licence for this/);
  });

  it('an agent that is not installed fails its task with how to get it, and the next task runs', async () => {
    const place = project({ steps: [{ write: { path: 'a.txt', content: 'a' } }] });
    const env = { ...place.env, PATH: dirname(process.execPath) };
    await loopwright(['task', 'add', 'no such program', '--agent', 'claude'], place);
    await loopwright(['task', 'add', 'the other is here', '--agent', 'claude', 'scripted'], place);
    await loopwright(['task', 'add', 'the next', '--command', 'node -e ""'], place);
    const { code, stdout } = await loopwright(['work', '--once'], { ...place, env });
    expect(code).toBe(0);
    expect(stdout).toContain('Install it with: npm install -g @anthropic-ai/claude-code');
    expect(stdout).not.toContain('ENOENT');
    expect(
      JSON.parse((await loopwright(['task', 'list', '--all', '--json'], place)).stdout).tasks,
    ).toMatchObject([
      { state: 'failed', failureCode: 'agent_missing', waitsFor: 'its next attempt, after a rest' },
      { title: 'the other is here', state: 'done' },
      { title: 'the next', state: 'done' },
    ]);
  });

  it('a command that hangs is ended after the seconds that are set, and the task says so', async () => {
    const place = project({ steps: [{ write: { path: 'a.txt', content: 'a' } }] });
    write(place.cwd, { 'hang.mjs': 'setInterval(() => {}, 1000);' });
    const env = {
      ...place.env,
      WORKER_VERIFY_COMMAND_TIMEOUT_SECONDS: '0.2',
      WORKER_VERIFY_RECOVERY_ATTEMPTS: '0',
    };
    await loopwright(['task', 'add', 'hangs', '--command', 'node hang.mjs'], place);
    const { stdout } = await loopwright(['work', '--once'], { ...place, env });
    expect(stdout).toMatch(/blocked \(needs_rework\) .*`node hang\.mjs` .*(?:time|too long|limit)/);
  });

  it('a task that is not named well enough is asked for as a task', async () => {
    const place = project({ steps: [] });
    write(place.cwd, { 'two.json': [{ title: 'one' }, { title: 'two' }] });
    const { added } = JSON.parse(
      (await loopwright(['task', 'import', 'two.json', '--json'], place)).stdout,
    ) as {
      added: string[];
    };
    const problem = async (name: string) => (await loopwright(['task', 'show', name], place)).stderr;
    expect(await problem((added[0] ?? '').slice(-3))).toContain('too short for the id of a task');
    expect(await problem((added[0] ?? '').slice(0, 8))).toContain('fits 2 tasks');
  });

  it('list, board and show say where no command has shown that a task works', async () => {
    const place = project({ steps: [{ write: { path: 'a.txt', content: 'a' } }] });
    write(place.cwd, { 'check.mjs': '' });
    await loopwright(['task', 'add', 'hopes'], place);
    await loopwright(['task', 'add', 'knows', '--command', 'node check.mjs'], place);
    await loopwright(['work', '--once'], place);
    const said = async (...args: string[]) => (await loopwright(args, place)).stdout;
    const list = await said('task', 'list', '--all');
    expect(list).toMatch(/done, unverified .*hopes/);
    expect(list).toMatch(/done {2,}.*knows/);
    const board = await said('board');
    expect(board).toMatch(/hopes *\n +done, unverified/);
    expect(board.match(/unverified/g)).toHaveLength(1);
    const tasks = JSON.parse(await said('task', 'list', '--all', '--json')).tasks as {
      id: string;
      title: string;
    }[];
    expect(tasks).toMatchObject([{ title: 'hopes', unverified: true }, { title: 'knows' }]);
    expect(await said('show', tasks[0]?.id ?? '')).toContain('done, unverified');
    expect(await said('show', tasks[1]?.id ?? '')).not.toContain('unverified');
  });

  it('a runtime says once that it idles, however often others write', async () => {
    const place = project({ steps: [{ say: 'hello' }] });
    for (const [name, value] of Object.entries(place.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const looked = vi.spyOn(SqliteScheduler.prototype, 'changed');
    onTestFinished(() => looked.mockRestore());
    const idle = await work(openAt(place.cwd), { role: 'tester' });
    const said: string[] = [];
    idle.events.subscribe(({ type }) => void said.push(type));
    for (const title of ['one', 'two']) {
      await vi.waitUntil(() => looked.mock.calls.length > 0, { timeout: 600_000 });
      looked.mockClear();
      await loopwright(['task', 'add', title], place);
    }
    await vi.waitUntil(() => looked.mock.calls.length > 0, { timeout: 600_000 });
    idle.stop();
    await idle.ended;
    expect(said).toEqual(['runtime.idle']);
  });

  it('a claim of many lines, however long, is researched like any other; no question is refused', async () => {
    const claim = `${'very '.repeat(150)}wet\nand cold`;
    const place = project({
      turns: [
        {
          when: '\\(plan\\)',
          steps: [
            { say: JSON.stringify({ findings: [{ claim, sources: [{ url: 'https://w.example/1' }] }] }) },
          ],
        },
        { steps: [{ say: '{"findings": [{"claim": "wet"}], "report": "it is [1]"}' }] },
      ],
    });
    const { code, stdout, stderr } = await loopwright(['research', 'is water\nwet?'], place);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('report, unverified');
    expect(stdout).toMatch(/! unverified \(open\): .*0 of 3 sources \(1 not fetched\), 0 of 2 domains/);
    expect(stdout).toContain('1 source not fetched by any tool');
    const told = await loopwright(['research', 'is water\nwet?', '--json'], place);
    expect(jsonLines(told.stdout).at(-1)).toMatchObject({
      type: 'result',
      notFetched: 1,
      unverified: [{ status: 'open', missing: expect.arrayContaining(['0 of 2 domains']) }],
    });
    const nothing = await loopwright(['research', ' '], place);
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('no question')]);
  });
});
