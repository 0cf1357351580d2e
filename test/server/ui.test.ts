import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LiveChange } from '../../src/api/routes/live.ts';
import { ask, TestSocket } from '../../src/server/testing.ts';
import { headless, project, sessionOf, stages } from '../cli/pipeline-support.ts';
import { loopwright, start, tempFolder } from '../cli/support.ts';
import { type Ui, ui } from './support.ts';

/** A socket of a script that was let in, looking at these topics. */
async function looking(
  { port, bearer }: Ui,
  ...watch: ('overview' | `session:${string}` | `terminal:${string}`)[]
) {
  const socket = new TestSocket(port, { authorization: `Bearer ${bearer}` });
  await socket.say({ watch });
  await socket.until(() => socket.messages.some((message) => 'hello' in message));
  const saw = (fits: (change: LiveChange) => boolean) =>
    socket.until(() => socket.events.find(({ change }) => fits(change))?.change);
  return { socket, saw };
}

const isWord = (id: string, word: string) => (change: LiveChange) =>
  change.type === 'session.changed' &&
  change.session.id === id &&
  'word' in change.session &&
  change.session.word === word;

describe('the command', () => {
  test('gives keys to the same user alone, through a door, and ends when it is told to', async () => {
    const place = { cwd: tempFolder() };
    const { port, server } = await ui(place);
    const { stdout } = await start(['ui', '--url'], place).ended;
    const [, address, token] = /^(http:\/\/127\.0\.0\.1:\d+)\/#([\w-]{43})\n$/.exec(stdout) ?? [];
    expect(address).toBe(`http://127.0.0.1:${port}`);
    const post = { method: 'POST', headers: { origin: address ?? '' }, body: { token } };
    expect((await ask(port, '/api/v1/auth', post)).status).toBe(200);
    expect((await ask(port, '/api/v1/auth', post)).status).toBe(401);
    server.child.kill('SIGTERM');
    const ended = await server.ended;
    // What goes into a pipe may go into a log: no token is in it.
    expect([ended.code, ended.stdout.includes('#'), ended.stderr]).toEqual([0, false, '']);
    const late = await start(['ui', '--url'], place).ended;
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('No dashboard runs for')]);
  });

  test('S13 refuses inside an agent', async () => {
    const place = { cwd: tempFolder(), env: { LOOPWRIGHT_SESSION: '01M7' } };
    for (const words of [
      ['ui', '--port', '0'],
      ['ui', '--bearer'],
    ]) {
      const { code, stderr } = await start(words, place).ended;
      expect([code, stderr]).toEqual([1, expect.stringContaining('This runs inside session 01M7')]);
    }
  });

  test('S10 with --read-only nothing is changed, and the page knows it', async () => {
    const { call, post } = await ui({ cwd: tempFolder() }, '--read-only');
    expect((await call('/me')).body).toMatchObject({ readOnly: true });
    expect((await post('/sessions', { goal: 'x' })).body).toMatchObject({ code: 'read-only' });
  });

  test('an untrusted project is shown, and nothing of it is started', async () => {
    const place = project(stages([headless('api', 'write it')]));
    const env = { ...place.env, LOOPWRIGHT_TRUST: undefined, XDG_CONFIG_HOME: tempFolder() };
    const { call, post } = await ui({ ...place, env });
    expect((await call('/me')).body).toMatchObject({ trusted: false });
    const refused = await post('/sessions', { goal: 'g', pipeline: 'p.json' });
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({
        code: 'denied',
        next: expect.objectContaining({ id: 'project.trust', command: expect.stringContaining('trust') }),
      }),
    ]);
    expect((await call('/sessions')).body.sessions).toEqual([]);
  });
});

describe('a session that the page starts', () => {
  test('runs in a process of its own: it asks, is answered, and outlives a server that is killed', async () => {
    const place = project(stages([headless('ask', 'choose one')]));
    const first = await ui(place);
    const { saw } = await looking(first, 'overview');
    const begun = await first.post('/sessions', { goal: 'g', pipeline: 'p.json' });
    expect(begun.status).toBe(202);
    const { session, pid } = begun.body as { session: string; pid: number };
    await saw(
      (change) =>
        change.type === 'session.changed' &&
        'questions' in change.session &&
        change.session.questions.length > 0,
    );
    const needs = (await first.call('/needs-you')).body.items;
    expect(needs).toEqual([
      expect.objectContaining({ kind: 'question', session, what: expect.stringContaining('Which port?') }),
    ]);
    // Nothing that lets somebody in is in the environment of what it started.
    if (process.platform === 'linux') {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(environment).not.toContain(first.bearer);
    }
    expect(
      (await first.post(`/sessions/${session}/stage-tasks/ask/answer`, { text: '80' })).body,
    ).toMatchObject({
      task: 'ask',
    });
    first.server.child.kill('SIGKILL');
    await first.server.ended;
    const second = await ui(place);
    const after = await looking(second, 'overview', `session:${session}`);
    // The second question of the same agent, put while no server was there.
    const live = async () => (await second.call(`/sessions/${session}/stage-tasks`)).body.tasks[0]?.question;
    await after.socket.until(() => after.socket.messages.length > 0);
    for (let asked = await live(); asked === undefined; asked = await live());
    await second.post(`/sessions/${session}/stage-tasks/ask/answer`, { text: '8080' });
    // Its agent only asked: no file was changed.
    await after.saw(isWord(session, 'no change'));
    const { steps } = (await second.call(`/sessions/${session}/steps`)).body;
    expect(steps).toEqual([expect.objectContaining({ row: 0, step: 1, signal: 'SIGNAL:SUCCESS' })]);
  });

  test('is told as dead when its process is, goes on from where it was, and can be interrupted', async () => {
    const place = project(stages([headless('slow', 'hang')]));
    const server = await ui(place);
    const { session, pid } = (await server.post('/sessions', { goal: 'g', pipeline: 'p.json' })).body;
    const { saw, socket } = await looking(server, 'overview', `session:${session}`);
    await saw((change) => change.type === 'live.began');
    const { body, headers } = await server.call(`/sessions/${session}/live`);
    expect(body.live).toMatchObject({ status: 'running', session });
    expect(headers['x-loopwright-event']).toMatch(/^\w+-\d+$/);
    process.kill(pid, 'SIGKILL');
    await saw(isWord(session, 'died'));
    const again = await server.post(`/sessions/${session}/resume`, { guidance: '-x be quick' });
    expect([again.status, again.body.session]).toEqual([202, session]);
    await socket.until(
      () => socket.events.filter(({ change }) => isWord(session, 'running')(change)).length > 1,
    );
    const stopped = async () => (await server.post(`/sessions/${session}/interrupt`)).status;
    for (let status = await stopped(); status !== 200; status = await stopped());
    await saw(isWord(session, 'halted'));
    const epochs = (await server.call(`/sessions/${session}/epochs`)).body.epochs;
    expect(epochs.map(({ epoch }: { epoch: number }) => epoch)).toEqual([1, 2]);
    expect((await server.call(`/sessions/${session}/said`)).text).toContain('-x be quick');
  });

  test('that cannot begin is told with the first error, as the command says it', async () => {
    const place = project(stages([headless('api', 'write it')]));
    const { post } = await ui(place);
    const { status, body } = await post('/sessions', { goal: 'g', pipeline: 'none.json' });
    const said = await loopwright(['pipeline', 'none.json', 'g', '--json'], place);
    const { error } = JSON.parse(said.stdout) as { error: { message: string } };
    expect([status, body.problem]).toEqual([400, error.message]);
  });

  test('on the command line is seen at once, with every step', async () => {
    const place = project(stages([headless('api', 'write it')], [headless('more', 'write it')]));
    const server = await ui(place);
    const { saw } = await looking(server, 'overview');
    const run = start(['pipeline', 'p.json', '--json'], place);
    const told = await saw((change) => change.type === 'session.changed');
    const id = 'session' in told ? (told.session as { id: string }).id : '';
    expect(id).toBe(sessionOf(place.cwd));
    await run.ended;
    await saw(isWord(id, 'completed'));
    expect((await server.call(`/sessions/${id}/steps`)).body.rows).toBe(2);
  });
});

describe('a terminal', () => {
  test('is painted, typed into and left, over one socket', async () => {
    const interactive = { id: 'talk', adapter: 'scripted', executionMode: 'interactive', prompt: 'talk' };
    const place = project(stages([interactive]));
    const server = await ui(place);
    const { session } = (await server.post('/sessions', { goal: 'g', pipeline: 'p.json' })).body;
    onTestFinished(async () => {
      await server.post(`/sessions/${session}/abort`, { confirm: session });
    });
    const topic = `terminal:${session}/talk` as const;
    const { socket } = await looking(server, `session:${session}`);
    const isThere = async () =>
      (await server.call(`/sessions/${session}/stage-tasks`)).text.includes('"talk"');
    while (!(await isThere()));
    await socket.say({ watch: [`session:${session}`, topic] });
    await socket.until(() => socket.terminal(topic).includes('hello there'));
    await socket.say({ input: topic, text: 'typed here\r' });
    await socket.until(() => socket.terminal(topic).includes('typed here'));
    const shown = await looking(await ui(place, '--read-only'), topic);
    await shown.socket.until(() => shown.socket.terminal(topic).includes('typed here'));
    await shown.socket.say({ input: topic, text: 'not typed\r' });
    await shown.socket.until(() =>
      shown.socket.messages.some((message) => 'code' in message && message.code === 'read-only'),
    );
    expect((await server.post(`/sessions/${session}/stage-tasks/talk/complete`)).status).toBe(200);
    await socket.until(() =>
      socket.messages.some((message) => 'terminal' in message && message.terminal.ended !== undefined),
    );
  });
});

test('S11 nothing of a key is in the log of who called', async () => {
  const place = { cwd: tempFolder() };
  const { call, bearer } = await ui(place);
  await call('/me');
  const folder = join(place.cwd, '.loopwright/logs');
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
  expect(text).toContain('"route":"/me"');
  expect(text).not.toContain(bearer);
});
