import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LiveChange, Topic } from '../../api/routes/live.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { halted, logIn, type Served, served, TestSocket, tempProject, workers } from '../testing.ts';

async function looking(server: Served, watch: Topic[], after?: string) {
  const { origin = '', cookie = '', 'x-loopwright': proof = '' } = await logIn(server);
  const socket = new TestSocket(server.serving.port, { origin, cookie });
  await socket.say({ proof, watch, ...(after === undefined ? {} : { after }) });
  const hello = await socket.until(() => socket.messages.find((message) => 'hello' in message));
  const saw = (fits: (change: LiveChange) => boolean) =>
    socket.until(() => socket.events.find(({ change }) => fits(change)));
  return { socket, saw, at: 'hello' in hello ? hello.hello.at : '' };
}

const changed = (id: string) => (change: LiveChange) =>
  change.type === 'session.changed' && change.session.id === id;

describe('a page that looks', () => {
  it('is told of sessions and tasks that somebody else makes, with ids that grow', async () => {
    const server = await served();
    const { saw, socket } = await looking(server, ['overview', 'backlog']);
    const id = await halted(server.sessions);
    const first = await saw(changed(id));
    await server.project.addTask('a task');
    const second = await saw((change) => change.type === 'task.changed' && change.task.title === 'a task');
    const number = (at: string) => Number(at.split('-')[1]);
    expect(number(second.id)).toBeGreaterThan(number(first.id));
    const all = socket.events.map((event) => number(event.id));
    expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
  });

  it('gets every step of a session once, whatever was asked for in between', async () => {
    const server = await served();
    const id = await halted(server.sessions);
    const { saw, socket } = await looking(server, [`session:${id}`]);
    for (let n = 0; n < 3; n++) {
      await Orchestrator.open(id, { workers, sessions: server.sessions }).retry();
      await server.call(`/sessions/${id}/steps`);
    }
    await saw((change) => change.type === 'step.finished' && change.row.row === 4);
    const rows = socket.events.flatMap(({ change }) =>
      change.type === 'step.finished' ? [change.row.row] : [],
    );
    expect(rows).toEqual([2, 3, 4]);
    const { headers, body } = await server.call(`/sessions/${id}/steps`);
    expect(body.rows).toBe(5);
    expect(headers['x-loopwright-event']).toBe(socket.events.at(-1)?.id);
  });

  it('that comes back gets what it missed', async () => {
    const server = await served();
    const first = await looking(server, ['overview']);
    const one = await halted(server.sessions);
    const { id: after } = await first.saw(changed(one));
    first.socket.close();
    await first.socket.closed;
    const two = await halted(server.sessions);
    const second = await looking(server, ['overview'], after);
    await second.saw(changed(two));
    expect(second.socket.messages.some((message) => 'reset' in message)).toBe(false);
    expect(second.socket.events.every((event) => event.id > after || event.id.length > after.length)).toBe(
      true,
    );
  });

  it('is told to ask again where nobody looked meanwhile, or the server is another one', async () => {
    const server = await served();
    const id = await halted(server.sessions);
    const overview = await looking(server, ['overview']);
    const { at } = overview;
    await halted(server.sessions);
    await overview.saw((change) => change.type === 'session.changed');
    const never = await looking(server, [`session:${id}`], at);
    await never.socket.until(() => never.socket.messages.some((message) => 'reset' in message));
    const other = await looking(server, ['overview'], 'deadbeef-3');
    await other.socket.until(() => other.socket.messages.some((message) => 'reset' in message));
  });

  it('what it watches can be changed, and is then all it is told', async () => {
    const server = await served();
    const { socket, saw } = await looking(server, ['overview']);
    await socket.say({ watch: ['backlog'] });
    await server.project.addTask('one');
    await saw((change) => change.type === 'task.changed');
    await halted(server.sessions);
    await server.project.addTask('two');
    await saw((change) => change.type === 'task.changed' && change.task.title === 'two');
    expect(socket.events.filter(({ change }) => change.type === 'session.changed')).toEqual([]);
  });

  it('a log that grows is told by its length', async () => {
    const server = await served();
    const id = await halted(server.sessions);
    const { appendFileSync, writeFileSync } = await import('node:fs');
    const file = `${server.dir}/.loopwright/sessions/${id}/logs/0001-x.log`;
    writeFileSync(file, 'one\n');
    const { saw } = await looking(server, [`log:${id}/0001-x.log`]);
    appendFileSync(file, 'two\n');
    const { change } = await saw((each) => each.type === 'log.grew');
    expect(change).toEqual({ type: 'log.grew', id, name: '0001-x.log', lines: 2, bytes: 8 });
  });
});

it('a database that cannot be read is told, and everything else is served', async () => {
  const dir = tempProject();
  writeFileSync(
    join(dir, '.loopwright/loopwright.db'),
    'this is no database at all, and it is long enough to tell',
  );
  const server = await served({}, dir);
  const { saw } = await looking(server, ['overview']);
  const warned = saw((change) => change.type === 'server.warning');
  const id = await halted(server.sessions);
  await saw(changed(id));
  expect((await server.call(`/sessions/${id}`)).status).toBe(200);
  expect((await server.call('/tasks')).body.code).toBe('storage');
  // Told when it was first looked at, maybe before anybody listened.
  const again = await looking(server, ['overview'], `${server.serving.boot}-0`);
  await Promise.race([warned, again.saw((change) => change.type === 'server.warning')]);
});

describe('a script that listens', () => {
  /** What a stream says, until it fits. */
  function stream(server: Served, path: string, headers: { readonly [name: string]: string } = {}) {
    let text = '';
    let wake = (): void => undefined;
    const bearer = server.serving.newBearer();
    const sent = request({
      port: server.serving.port,
      host: '127.0.0.1',
      path: `/api/v1${path}`,
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    });
    sent.on('response', (got) =>
      got.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        wake();
      }),
    );
    sent.on('error', () => undefined);
    sent.end();
    onTestFinished(() => void sent.destroy());
    return async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
  }

  it('gets the same events with their ids, and goes on behind the last one it had', async () => {
    const server = await served();
    const saw = stream(server, '/events?topics=overview');
    await saw(/event: hello/);
    const one = await halted(server.sessions);
    const [, id = ''] = await saw(/id: (\w+-\d+)\ndata: \{"id".*session\.changed/);
    await saw(new RegExp(`"id":"${one}"[^\n]*halted`));
    await halted(server.sessions, 'second');
    const again = stream(server, '/events?topics=overview', { 'last-event-id': id });
    const [, next = ''] = await again(/id: \w+-(\d+)\n/);
    expect(Number(next)).toBe(Number(id.split('-')[1]) + 1);
    await again(/"goal":"second"/);
    const lost = stream(server, '/events?topics=overview', { 'last-event-id': 'other-1' });
    await lost(/event: reset/);
  });

  it('names topics that there are', async () => {
    const { call, raw } = await served();
    for (const topics of ['', 'nonsense', 'session:../x', 'overview,nonsense'])
      expect((await call(`/events?topics=${topics}`)).status).toBe(400);
    expect((await raw('/events?topics=overview')).status).toBe(401);
  });
});
