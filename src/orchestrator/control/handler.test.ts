import { describe, expect, it } from 'vitest';
import { Emitter } from '../../kernel/events.ts';
import type { LiveTask } from '../../manifest/task.ts';
import type { EngineEvent } from '../events.ts';
import { Connection } from './handler.ts';
import type { ControlReply } from './protocol.ts';

const none = {
  abort: () => undefined,
  interrupt: () => undefined,
  position: () => ({ epoch: 1, offset: 7 }),
};

function attachable() {
  const events = new Emitter<EngineEvent>();
  const replies: ControlReply[] = [];
  const line = { room: true, reply: (reply: ControlReply) => replies.push(reply), hasRoom: () => line.room };
  let screens = 0;
  const task = {
    id: 't',
    interactive: true,
    screen: async () => `screen ${++screens}`,
  } as unknown as LiveTask;
  const connection = new Connection({ events, tasks: () => [], task: () => task, ...none });
  const at = { session: 's', step: 1, block: 'b', task: 't' };
  const prints = (raw: string) => events.emit({ ...at, type: 'task.output', raw, clean: raw });
  const status = (now: 'DONE' | 'PENDING') =>
    events.emit({ ...at, type: 'task.status', status: now, exit: {} });
  return { connection, line, replies, prints, status };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a terminal that is attached', () => {
  it('and does not read costs no memory; when it reads again it gets the screen as it is then', async () => {
    const { connection, line, replies, prints } = attachable();
    await connection.handle({ do: 'attach', task: 't' }, line);
    prints('a');
    line.room = false;
    for (let at = 0; at < 1000; at++) prints('lost');
    expect(replies).toEqual([{ ok: true, task: 't' }, { raw: 'screen 1' }, { raw: 'a' }]);
    line.room = true;
    connection.drained();
    await settled();
    prints('b');
    expect(replies.slice(3)).toEqual([{ raw: 'screen 2' }, { raw: 'b' }]);
    connection.drained();
    await settled();
    expect(replies).toHaveLength(5);
  });

  it.each(['DONE', 'PENDING'] as const)('hears when its task is %s: its process is gone', async (now) => {
    const { connection, line, replies, status } = attachable();
    await connection.handle({ do: 'attach', task: 't' }, line);
    status(now);
    expect(replies.at(-1)).toEqual({ ended: now });
  });
});

describe('a program that watches', () => {
  it('gets the end of the journal first, then every event; events it had no room for are counted', async () => {
    const { connection, line, replies, prints } = attachable();
    await connection.handle({ do: 'watch' }, line);
    prints('a');
    line.room = false;
    for (let at = 0; at < 1000; at++) prints('lost');
    line.room = true;
    prints('still waits for the count');
    connection.drained();
    prints('b');
    const seen = (clean: string) => ({ event: expect.objectContaining({ type: 'task.output', clean }) });
    expect(replies).toEqual([
      { ok: true, at: { epoch: 1, offset: 7 } },
      seen('a'),
      { skipped: 1001, at: { epoch: 1, offset: 7 } },
      seen('b'),
    ]);
    connection.close();
    prints('c');
    expect(replies).toHaveLength(4);
  });
});
