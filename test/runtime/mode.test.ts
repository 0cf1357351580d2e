import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';

function project() {
  const cwd = repository({ 'a.txt': 'before\n' });
  write(cwd, { '.git/script.json': { steps: [{ write: { path: 'a.txt', content: 'after\n' } }] } });
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
  };
  return { cwd, env };
}

describe('the repository mode', () => {
  it('CFG-07 without an address the start is refused in github mode, and no task loses an attempt', async () => {
    const { cwd, env: plain } = project();
    const place = { cwd, env: { ...plain, REPO_MODE: 'github' } };
    const empty = await loopwright(['work', '--once'], place);
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('REPO_URL is not set')]);
    await loopwright(['task', 'add', 'one'], place);
    const { code, stderr } = await loopwright(['work', '--once'], place);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/REPO_URL[^]*local-git/)]);
    expect(JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout).tasks).toMatchObject([
      { state: 'queued', attempts: 0 },
    ]);
  });

  it.each([
    ['direct', 'nowhere'],
    ['local-git', 'nowhere'],
    ['direct', 'a.txt'],
  ])(
    'CFG-09 in %s mode the start is refused where LOCAL_REPO_PATH is %s, and no task loses an attempt',
    async (mode, path) => {
      const { cwd, env } = project();
      const place = { cwd, env: { ...env, REPO_MODE: mode, LOCAL_REPO_PATH: path } };
      await loopwright(['task', 'add', 'one'], place);
      const { code, stderr } = await loopwright(['work', '--once'], place);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`LOCAL_REPO_PATH is ${join(cwd, path)}`)]);
      expect(JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout).tasks).toMatchObject([
        { state: 'queued', attempts: 0 },
      ]);
    },
  );

  it('CFG-03 a model that the agent cannot use is refused at the start, with those that could', async () => {
    const { cwd, env } = project();
    const place = { cwd, env: { ...env, LLM_EXECUTOR: 'claude', WORKER_MODEL: 'openai/gpt-5' } };
    await loopwright(['task', 'add', 'one'], place);
    const { code, stderr } = await loopwright(['work', '--once'], place);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/claude cannot use openai[^]*codex, .*opencode, pi or qwen/),
    ]);
    expect(JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout).tasks).toMatchObject([
      { state: 'queued', attempts: 0 },
    ]);
    write(cwd, {
      'w.json': {
        workers: { Coder: { agent: 'claude', model: 'openai/gpt-5' } },
        nodes: { N: { entry_block: 'A', blocks: { A: { worker: 'Coder', transitions: [] } } } },
      },
    });
    const run = await loopwright(['run', 'x', '--workflow', 'w.json'], place);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('claude cannot use openai/gpt-5')]);
  });

  it('an area that cannot be read is refused at the start', async () => {
    const { cwd, env } = project();
    const place = { cwd, env: { ...env, TASK_AREAS: 'src/** ../other/**' } };
    const { code, stderr } = await loopwright(['work', '--once'], place);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"../other/**" cannot be part')]);
  });

  it.each([
    ['direct', 'after', undefined],
    ['local-git', 'before', 'after'],
    ['LOCAL', 'before', 'after'],
  ])('CFG-06 REPO_MODE %s: the checkout says "%s", the branch of the task %s', async (mode, here, there) => {
    const place = project();
    const env = { ...place.env, REPO_MODE: mode };
    const added = await loopwright(['task', 'add', 'change a', '--json'], place);
    const { id } = JSON.parse(added.stdout) as { id: string };
    await loopwright(['work', '--once'], { ...place, env });
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe(`${here}\n`);
    const branches = git(place.cwd, 'branch', '--list', 'loopwright/task/*');
    if (there === undefined) expect(branches).toBe('');
    else expect(git(place.cwd, 'show', `loopwright/task/${id}:a.txt`)).toBe(there);
  });

  it('is what the project is where nobody says: a repository or a plain folder, and says so', async () => {
    const { cwd, env } = project();
    const inRepository = await loopwright(['work', '--once'], { cwd, env });
    expect(inRepository.stdout).toContain(
      'in local-git mode (REPO_MODE is not set, and this is a git repository)',
    );
    const folder = tempFolder();
    write(folder, { 'a.txt': 'x' });
    const plain = await loopwright(['work', '--once', '--dir', folder], { cwd: folder, env });
    expect(plain.stdout).toContain('in direct mode (REPO_MODE is not set, and this is no git repository)');
    const remote = { ...env, REPO_URL: 'file:///nowhere' };
    const cloned = await loopwright(['work', '--once'], { cwd, env: remote });
    expect(cloned.stdout).toContain('in github mode (REPO_MODE is not set, and REPO_URL is)');
  });

  it('CFG-06 an unknown REPO_MODE is github, and says so', async () => {
    const place = project();
    await loopwright(['task', 'add', 'one'], place);
    const { stderr } = await loopwright(['work', '--once'], {
      ...place,
      env: { ...place.env, REPO_MODE: 'svn' },
    });
    expect(stderr).toContain('The repository mode is github');
  });

  it.each([
    [undefined, 'main'],
    ['develop', 'develop'],
  ])('CFG-08 BASE_BRANCH %s: the work begins from %s', async (said, base) => {
    const place = project();
    git(place.cwd, 'branch', 'develop');
    write(place.cwd, { 'on-main.txt': 'x' });
    git(place.cwd, 'add', 'on-main.txt');
    git(place.cwd, 'commit', '-qm', 'main goes on');
    const added = await loopwright(['task', 'add', 'change a', '--json'], place);
    const { id } = JSON.parse(added.stdout) as { id: string };
    const env = { ...place.env, REPO_MODE: 'local-git', ...(said ? { BASE_BRANCH: said } : {}) };
    await loopwright(['work', '--once'], { ...place, env });
    expect(git(place.cwd, 'rev-parse', `loopwright/task/${id}~1`)).toBe(git(place.cwd, 'rev-parse', base));
  });

  it('CFG-09 LOCAL_REPO_PATH is where the work goes; not set, by decision, it is the project the command is called in', async () => {
    const [place, other] = [project(), repository({ 'a.txt': 'before\n' })];
    const env = { ...place.env, REPO_MODE: 'direct' };
    await loopwright(['task', 'add', 'there'], place);
    await loopwright(['work', '--once'], { ...place, env: { ...env, LOCAL_REPO_PATH: other } });
    const texts = () => [place.cwd, other].map((dir) => readFileSync(join(dir, 'a.txt'), 'utf8').trim());
    expect(texts()).toEqual(['before', 'after']);
    await loopwright(['task', 'add', 'here'], place);
    await loopwright(['work', '--once'], { ...place, env });
    expect(texts()).toEqual(['after', 'after']);
  });

  it('RUN-01 CFG-02 AGENT_ROLE of the runtime decides which tasks it takes and what its agent is told', async () => {
    const place = project();
    write(place.cwd, {
      '.git/script.json': {
        turns: [
          { when: 'You work on documentation', steps: [{ write: { path: 'a.txt', content: 'docs' } }] },
          { steps: [{ write: { path: 'a.txt', content: 'code' } }] },
        ],
      },
    });
    await loopwright(['task', 'add', 'describe it', '--role', 'docser'], place);
    const work = (role: string) =>
      loopwright(['work', '--once'], {
        ...place,
        env: { ...place.env, REPO_MODE: 'direct', AGENT_ROLE: role },
      });
    expect((await work('worker')).stdout).toContain('There was nothing to do.');
    expect((await work('docser')).stdout).toContain('1 done');
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('docs');
  });

  it('tasks that name another mode are worked off all the same', async () => {
    const place = project();
    await loopwright(['task', 'add', 'in place', '--mode', 'direct'], place);
    expect((await loopwright(['work', '--once'], place)).code).toBe(0);
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('after\n');
  });

  it('a verdict goes by the mode in which the task was worked, not by what is configured now', async () => {
    const place = project();
    await loopwright(['task', 'add', 'change a', '--command', 'git --version'], place);
    const work = { ...place, env: { ...place.env, REPO_MODE: 'local-git' } };
    expect((await loopwright(['work', '--once'], work)).stdout).toContain('awaiting_judge');
    const [task] = JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout).tasks as {
      id: string;
    }[];
    const { stdout } = await loopwright(['judge', task?.id ?? '', 'approve'], place);
    expect(stdout).toMatch(/is done: [0-9a-f]{12} on /);
    expect(git(place.cwd, 'show', 'HEAD:a.txt')).toBe('after');
  });
});
