import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { openStore } from '../../src/store/open.ts';
import { appears, loopwright, start, tempFolder, write } from '../cli/support.ts';
import { commitAll, document, flow, git, repository, sessionIn } from '../cli/workspace-support.ts';

interface Clashes {
  readonly conflicts: readonly { readonly between: readonly object[]; readonly path: string }[];
}

/** A repository, an agent that works until it is told to continue, and a session that does. */
function place() {
  const cwd = repository();
  const control = tempFolder();
  write(cwd, {
    'slow.json': flow(['wait', control, 'session'], ['write', 'src/a.txt', 'session\n']),
    'quick.json': flow(['write', 'src/a.txt', 'quick\n']),
  });
  commitAll(cwd, 'workflows');
  const wait = `const fs = require('node:fs'); fs.writeFileSync(${JSON.stringify(join(control, 'task.started'))}, '');
    const timer = setInterval(() => { if (fs.existsSync(${JSON.stringify(join(control, 'task.go'))})) clearInterval(timer); }, 20);`;
  write(control, {
    'script.json': { steps: [{ write: { path: 'src/task.txt', content: 'x' } }, { say: 'ok' }] },
    'wait.cjs': wait,
  });
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(control, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(control, 'locks'),
    REPO_MODE: 'local-git',
    LOCAL_REPO_PATH: cwd,
  };
  const add = async (title: string) => {
    const args = [
      'task',
      'add',
      title,
      '--allow',
      'src/**',
      '--command',
      `node ${join(control, 'wait.cjs')}`,
    ];
    return (await document<{ id: string }>(args, cwd)).id;
  };
  return { cwd, control, env, add };
}

it('B-14 run --plan waits for a running task that may change the same files, and starts when it is released', async () => {
  const { cwd, control, env, add } = place();
  const id = await add('at work');
  const runtime = start(['work', '--once'], { cwd, env });
  await appears(control, 'task.started');
  const session = start(['run', 'x', '-w', 'quick.json', '--plan', 'src/a.txt'], { cwd });
  await session.saw(`task ${shortId(id)} may change src/a.txt`);
  const { conflicts } = await document<Clashes>(['conflicts'], cwd);
  expect(conflicts).toMatchObject([
    { between: [{ kind: 'session' }, { kind: 'task', id }], path: 'src/a.txt' },
  ]);
  writeFileSync(join(control, 'task.go'), '');
  expect((await runtime.ended).code).toBe(0);
  expect((await session.ended).code).toBe(0);
}, 300_000);

it('B-14 a task waits for a session that planned the same files, says so, and is run when it has ended', async () => {
  const { cwd, control, env, add } = place();
  writeFileSync(join(control, 'task.go'), '');
  const session = start(['run', 'x', '-w', 'slow.json', '--plan', 'src/**'], { cwd });
  await appears(control, 'session.started');
  const id = await add('waits');
  const idle = await loopwright(['work', '--once'], { cwd, env });
  expect(idle.stdout).toContain('Nothing could be started. In line: 1 task; the first waits for session');
  const waits = await document<{ waitsFor: string }>(['task', 'show', id], cwd);
  expect(waits.waitsFor).toMatch(/^session \w+, which may change src\/\*\*$/);
  const { conflicts } = await document<Clashes>(['conflicts'], cwd);
  expect(conflicts).toMatchObject([{ between: [{ kind: 'session' }, { kind: 'task', id }], path: 'src/**' }]);
  expect((await loopwright(['conflicts'], { cwd })).stdout).toContain(`src/** with task ${shortId(id)}`);
  writeFileSync(join(control, 'session.go'), '');
  const ended = await session.ended;
  expect(ended.code).toBe(0);
  expect(sessionIn(ended.stdout)).not.toBe('');
  expect((await loopwright(['work', '--once'], { cwd, env })).stdout).not.toContain(
    'Nothing could be started',
  );
  expect((await document<{ state: string }>(['task', 'show', id], cwd)).state).toBe('blocked');
}, 300_000);

it('a task without allowed paths that has to wait says so, and how to make it wait less', async () => {
  const { cwd, control, env, add } = place();
  await add('at work');
  const { id } = await document<{ id: string }>(['task', 'add', 'anything'], cwd);
  const runtime = start(['work', '--once', '--concurrency', '2'], { cwd, env });
  await appears(control, 'task.started');
  const { stdout } = await loopwright(['task', 'show', id], { cwd });
  expect(stdout).toContain('it may change anything itself, as it has no allowed paths');
  expect(stdout).toMatch(new RegExp(`next: .*task edit ${shortId(id)} --allow`));
  // Not SIGKILL: the command that it runs must end with it.
  runtime.child.kill('SIGTERM');
  await runtime.ended;
}, 300_000);

it('B-14 the plan of a session that ended without leaving is removed; that of a halted one still counts', async () => {
  const { cwd, control, env, add } = place();
  writeFileSync(join(control, 'task.go'), '');
  write(cwd, { 'halts.json': flow(['fail']) });
  const ended = sessionIn((await loopwright(['run', 'x', '-w', 'quick.json'], { cwd })).stdout);
  const halted = sessionIn((await loopwright(['run', 'x', '-w', 'halts.json'], { cwd })).stdout);
  // As a process leaves them that is killed before it takes its plan back.
  const store = openStore(join(cwd, '.loopwright'));
  for (const session of [ended, halted]) await store.plans.enter(session, ['src/**']);
  const id = await add('waits');
  expect((await loopwright(['work', '--once'], { cwd, env })).stdout).toContain('Nothing could be started');
  expect((await store.plans.sessions()).map(({ id: session }) => session)).toEqual([halted]);
  await store.plans.leave(halted);
  await store.plans.enter(ended, ['src/**']);
  store.close();
  expect((await loopwright(['work', '--once'], { cwd, env })).stdout).not.toContain(
    'Nothing could be started',
  );
  expect((await document<{ state: string }>(['task', 'show', id], cwd)).state).toBe('blocked');
}, 300_000);

it("the paths of a task are its project's, even where the project lies below the top of the repository", async () => {
  const top = repository();
  const cwd = join(top, 'app');
  const control = tempFolder();
  write(cwd, {
    'act.mjs': readFileSync(join(top, 'act.mjs'), 'utf8'),
    'slow.json': flow(['wait', control, 'session']),
  });
  commitAll(top, 'a project of its own');
  const steps = [{ write: { path: 'src/task.txt', content: 'x' } }, { say: 'ok' }];
  write(control, { 'script.json': { steps } });
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(control, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(control, 'locks'),
    REPO_MODE: 'local-git',
    LOCAL_REPO_PATH: cwd,
  };
  const add = async (allow: string) =>
    (await document<{ id: string }>(['task', 'add', allow, '--allow', allow, '--command', 'node -v'], cwd))
      .id;
  const verdict = async (id: string) =>
    (await document<{ blockReason: string }>(['task', 'show', id], cwd)).blockReason;

  // Clashes: a session names its files from the project too, and both meet at the top's name for them.
  const id = await add('src/**');
  const session = start(['run', 'x', '-w', 'slow.json', '--plan', 'src/a.txt'], { cwd });
  await appears(control, 'session.started');
  expect((await loopwright(['work', '--once'], { cwd, env })).stdout).toContain('Nothing could be started');
  const { conflicts } = await document<Clashes>(['conflicts'], cwd);
  expect(conflicts).toMatchObject([
    { between: [{ kind: 'session' }, { kind: 'task', id }], path: 'app/src/a.txt' },
  ]);
  writeFileSync(join(control, 'session.go'), '');
  expect((await session.ended).code).toBe(0);

  // Allowed paths and delivery.
  await loopwright(['work', '--once'], { cwd, env });
  expect(await verdict(id)).toBe('awaiting_judge');
  await loopwright(['judge', id, 'approve'], { cwd, env });
  expect(git(top, 'show', 'main:app/src/task.txt')).toBe('x');
  expect(git(top, 'ls-tree', '--name-only', 'main')).not.toContain('src');
  const outside = await add('app/src/**');
  write(control, {
    'script.json': { steps: [{ write: { path: 'src/other.txt', content: 'x' } }, { say: 'ok' }] },
  });
  await loopwright(['work', '--once'], { cwd, env });
  const { runs } = await document<{ runs: { outcome: object }[] }>(['task', 'show', outside], cwd);
  expect(runs).toMatchObject([{ outcome: { discarded: ['src/other.txt'] } }]);
}, 300_000);
