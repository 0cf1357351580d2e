import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isStateName } from '../config/state-names.ts';
import { AccessLog } from '../project/server/access-log.ts';
import { argvOf, gitProject, worked } from './fixture/testing.ts';
import { halted, served, tempProject } from './testing.ts';

async function repository() {
  const dir = tempProject();
  const project = await gitProject(dir);
  return { project, server: await served({ argvOf }, dir) };
}

const post = (body: object) => ({ method: 'POST', body });

describe('what loses work, or takes it from somebody', () => {
  it('S10 asks for the id of the thing', async () => {
    const { project, server } = await repository();
    const id = await worked(project, 'halted');
    const { id: task } = await project.addTask('t');
    const acts: [string, string, object][] = [
      ['POST', `/sessions/${id}/discard`, {}],
      ['POST', `/sessions/${id}/abort`, { confirm: 'another' }],
      ['POST', `/sessions/${id}/resume`, { takeOver: true }],
      ['POST', `/sessions/${id}/accept`, { unproven: true }],
      ['POST', '/worktrees/gc', { dryRun: false, force: true }],
      ['DELETE', `/tasks/${task}`, {}],
    ];
    for (const [method, path, body] of acts) {
      const { status, body: said } = await server.call(path, { method, body });
      expect([path, status, said.code]).toEqual([path, 400, 'invalid']);
    }
    expect((await server.call(`/sessions/${id}`)).body.status).toBe('halted');
    const { body } = await server.call(`/sessions/${id}/discard`, post({ confirm: id }));
    expect(body).toMatchObject({ kind: 'discarded' });
  });
});

describe('a call', () => {
  it('that is repeated with the same key is carried out once', async () => {
    const server = await served();
    const add = (key: string) =>
      server.call('/tasks', { ...post({ title: 'once' }), headers: { 'idempotency-key': key } });
    const [one, two, three] = [await add('k1'), await add('k1'), await add('k2')];
    expect(two.body.id).toBe(one.body.id);
    expect(three.body.id).not.toBe(one.body.id);
    expect((await server.call('/tasks')).body.total).toBe(2);
  });

  it('that finds nothing new is not answered twice', async () => {
    const server = await served();
    await halted(server.sessions);
    const { headers } = await server.call('/sessions');
    const again = await server.call('/sessions', { headers: { 'if-none-match': headers.etag ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is refused with the reason, the code and the command that helps', async () => {
    const { project, server } = await repository();
    const id = await worked(project, 'halted');
    const { status, body } = await server.call(`/sessions/${id}/interrupt`, post({}));
    expect([status, body]).toEqual([
      409,
      {
        problem: expect.stringContaining('no agent of it runs'),
        code: 'conflict',
        next: expect.objectContaining({ id: 'session.show' }),
      },
    ]);
    expect((await server.call('/sessions', post({ goal: 'cannot' }))).body).toEqual({
      problem: 'It cannot be.',
      code: 'conflict',
    });
  });
});

it('what the dashboard keeps is state of ours: trust and a session that runs are not touched by it', async () => {
  const { project, server } = await repository();
  const id = await worked(project, 'halted');
  const door = await project.openDoor(() => 'x');
  onTestFinished(() => door.close());
  await server.call(`/sessions/${id}/review`, {
    method: 'PUT',
    body: { summary: 's', comments: [], viewed: {} },
  });
  await server.call('/needs-you/x/snooze', post({}));
  await server.call('/sessions', post({ goal: 'do it' }));
  const names = readdirSync(join(server.dir, '.loopwright'));
  expect(names.filter((name) => !isStateName(name))).toEqual([]);
  expect((await project.trusted()).trusted).toBe(true);
});

describe('what the page needs to know before', () => {
  it('a plan is compared with everybody in line, and nobody enters by asking', async () => {
    const { server } = await repository();
    const preview = () => server.call('/plans/preview', post({ paths: ['src/a.ts', 'docs/x.md'] }));
    expect((await preview()).body.paths.map(({ clashes }: { clashes: object[] }) => clashes)).toEqual([
      [],
      [],
    ]);
    const { openStore } = await import('../store/open.ts');
    const store = openStore(join(server.dir, '.loopwright'));
    onTestFinished(() => store.close());
    await store.plans.enter('S1', ['src/**']);
    expect((await preview()).body.paths).toEqual([
      { path: 'src/a.ts', clashes: [{ kind: 'session', id: 'S1', path: 'src/**' }] },
      { path: 'docs/x.md', clashes: [] },
    ]);
    expect((await server.call('/plans')).body.plans).toEqual([
      expect.objectContaining({ id: 'S1', status: 'waiting', paths: ['src/**'] }),
    ]);
  });

  it('what waits for a person can be put off', async () => {
    const server = await served();
    await halted(server.sessions);
    const [item] = (await server.call('/needs-you')).body.items;
    expect(item).toMatchObject({ kind: 'halted', title: 'fix the login' });
    await server.call(`/needs-you/${item.id}/snooze`, post({}));
    const [after] = (await server.call('/needs-you')).body.items;
    expect(after).toEqual({ ...item, snoozedUntil: expect.any(Number) });
  });

  it('a setting of the environment is locked, and one of the file is written beside the others', async () => {
    const server = await served();
    const file = join(server.dir, '.loopwright/config.json');
    writeFileSync(file, JSON.stringify({ commands: { test: 'npm test' } }));
    const patch = (key: string, value: unknown) =>
      server.call('/settings', { method: 'PATCH', body: { key, value } });
    expect((await patch('agents.all', 'claude')).status).toBe(200);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      commands: { test: 'npm test' },
      agents: { all: 'claude' },
    });
    expect((await patch('agents.all', null)).status).toBe(200);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ commands: { test: 'npm test' }, agents: {} });
    expect((await patch('no.such', 1)).body.code).toBe('not-found');
    expect((await patch('agents.all', 7)).body.code).toBe('invalid');
    process.env['LLM_EXECUTOR'] = 'codex';
    onTestFinished(() => {
      delete process.env['LLM_EXECUTOR'];
    });
    const other = await served({}, server.dir);
    const locked = await other.call('/settings', {
      method: 'PATCH',
      body: { key: 'agents.all', value: 'x' },
    });
    expect(locked.body).toMatchObject({ code: 'invalid', problem: expect.stringContaining('LLM_EXECUTOR') });
  });

  it('two ways are laid beside each other up to where they part', async () => {
    const { project, server } = await repository();
    const [a, b] = [await worked(project, 'halted'), await worked(project, 'completed')];
    const { body } = await server.call(`/compare?a=${a}&b=${b}`);
    expect(
      body.rows.map((row: { a: { block: string } | null; b: { block: string } | null }) => [
        row.a?.block,
        row.b?.block,
      ]),
    ).toEqual([
      ['N__Write', 'N__Write'],
      ['N__Check', 'N__Check'],
      [undefined, 'N__End'],
    ]);
    expect(body.differs).toBe(1);
  });

  it('a file of a change is whole on both sides, and one that did not change is none', async () => {
    const { project, server } = await repository();
    const id = await worked(project, 'halted');
    const file = (path: string) => server.call(`/sessions/${id}/diff/file?path=${encodeURIComponent(path)}`);
    expect((await file('a.txt')).body).toMatchObject({
      before: 'one\ntwo\nthree\n',
      after: 'one\n2\nthree\n',
    });
    expect((await file('src/new.ts')).body).toMatchObject({ before: null, after: 'export const x = 1;\n' });
    for (const path of ['.gitignore', '../a.txt', '.git/config', '/etc/passwd'])
      expect([path, (await file(path)).status]).toEqual([path, 404]);
  });
});

it('S11 the log of who called never grows beyond two files of five megabytes', () => {
  const dir = tempProject();
  const log = new AccessLog(join(dir, '.loopwright'));
  onTestFinished(() => log.close());
  const long = 'x'.repeat(100_000);
  for (let n = 0; n < 120; n++) log.note({ n, long });
  const [now, before] = [readFileSync(log.file), readFileSync(`${log.file}.1`)];
  expect(now.length).toBeLessThanOrEqual(5 * 1024 * 1024);
  expect(before.length).toBeLessThanOrEqual(5 * 1024 * 1024);
  expect(now.toString('utf8').trimEnd().split('\n').at(-1)).toContain('"n":119');
});
