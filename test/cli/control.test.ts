import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { eventShape } from '../../src/api/events.ts';
import { shortId } from '../../src/kernel/short-ids.ts';
import { OwnerConnection } from '../../src/orchestrator/control/client.ts';
import type { ControlAddress } from '../../src/orchestrator/control/peer.ts';
import type { ControlReply } from '../../src/orchestrator/control/protocol.ts';
import { SessionManager } from '../../src/orchestrator/state/session-manager.ts';
import { project, sessionOf, stages } from './pipeline-support.ts';
import { jsonLines, loopwright, type Place, start, tempFolder, write } from './support.ts';

const HANGS = "console.log('up'); setInterval(Date, 1000)";
const command = (code: string) => ({
  worker: 'Internal:Command',
  with: { argv: ['node', '-e', code] },
  transitions: [
    { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
    { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
  ],
});

function socketOf({ cwd }: Place, id: string): ControlAddress {
  const file = join(cwd, '.loopwright/sessions', id, 'session.json');
  const { socket } = JSON.parse(readFileSync(file, 'utf8')) as { socket: string };
  return { path: socket, key: readFileSync(join(dirname(file), 'control.key'), 'utf8') };
}

/** A session of another process that has no agent at all, only a command that does not end. */
async function hanging() {
  const place = { cwd: tempFolder() };
  write(place.cwd, { 'w.json': { A: { entry_block: 'B', blocks: { B: command(HANGS) } } } });
  const run = start(['run', 'hang', '-w', 'w.json', '--json'], place);
  await run.saw('"type":"session.reachable"');
  await run.saw('up');
  const id = sessionOf(place.cwd);
  return { place, run, id, socket: socketOf(place, id) };
}

describe('a session that another process runs', () => {
  test('is watched from a position of its journal on, and interrupted so that it can be resumed', async () => {
    const { place, run, id, socket } = await hanging();
    // The key is in nothing that is printed.
    const shown = await Promise.all(
      [['ps'], ['sessions'], ['show', id]].map((args) => loopwright([...args, '--json'], place)),
    );
    for (const { stdout } of shown) expect(stdout).not.toContain(socket.key);
    const owner = await OwnerConnection.open(socket);
    const replies: ControlReply[] = [];
    owner.onReply((reply) => replies.push(reply));
    const { at } = await owner.ask({ do: 'watch' });
    const journal = join(place.cwd, '.loopwright/sessions', id, 'journal.1.jsonl');
    expect(at).toEqual({ epoch: 1, offset: readFileSync(journal).length });
    const second = await OwnerConnection.open(socket);
    await second.ask({ do: 'interrupt', reason: 'the machine is needed' });
    await owner.closed;
    const { code, stdout } = await run.ended;
    expect(code).toBe(2);
    const events = replies.flatMap((reply) => ('event' in reply ? [reply.event] : []));
    for (const event of events) expect(eventShape.safeParse(event).error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({
      type: 'session.halted',
      halt: { reason: 'interrupted', message: 'the machine is needed' },
    });
    // What the owner itself printed after the watch began, neither more nor less.
    const printed = stdout.trim().split('\n').slice(0, -1);
    expect(printed.slice(-events.length)).toEqual(events.map((event) => JSON.stringify(event)));
    const { state } = SessionManager.onDisk(join(place.cwd, '.loopwright/sessions')).load(id);
    expect(state).toMatchObject({ status: 'halted', at: 'A__B', halt: { resumeAt: 'A__B' } });
  });

  test('is shown by watch as it happens, and interrupted by a command', async () => {
    const { place, run, id } = await hanging();
    const watching = start(['watch', id, '--json'], place);
    const aside = start(['watch', id], place);
    await aside.saw('hang');
    await aside.saw(shortId(id));
    await watching.saw('"type":"watch.began"');
    const { stdout } = await loopwright(['interrupt', id, '--reason', 'lunch', '--json'], place);
    expect(JSON.parse(stdout)).toEqual({ apiVersion: 1, session: id });
    expect((await run.ended).code).toBe(2);
    const seen = jsonLines((await watching.ended).stdout);
    expect(seen[0]).toMatchObject({ type: 'watch.began', session: id, at: { epoch: 1 } });
    expect(seen.at(-2)).toMatchObject({ type: 'session.halted', halt: { message: 'lunch' } });
    expect(seen.at(-1)).toMatchObject({ type: 'result', session: id, status: 'halted', exitCode: 0 });
    expect((await aside.ended).stdout).toMatch(
      /halted after 0 steps\nnext: run the block again and continue\n/,
    );
    expect((await loopwright(['watch', id], place)).stderr).toContain('is halted: no agent of it runs');
  });

  test('names its protocol first, and refuses what it does not understand in words', async () => {
    const { run, id, socket } = await hanging();
    const { path, key } = socket;
    const client = connect(path);
    const lines = createInterface({ input: client })[Symbol.asyncIterator]();
    const heard = async () => JSON.parse((await lines.next()).value as string) as object;
    const said = (value: unknown) =>
      client.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    const hello = await heard();
    expect(hello).toEqual({ protocol: 2, session: id, proof: expect.stringContaining('/p-') });
    said({ do: 'tasks' });
    expect(await heard()).toMatchObject({ problem: expect.stringContaining('have said who they are') });
    said({ do: 'enter', key: 'guessed', pid: process.pid });
    expect(await heard()).toMatchObject({ problem: expect.stringContaining('cannot show who they are') });
    const proof = openSync((hello as { proof: string }).proof, 'r');
    said({ do: 'enter', key, pid: process.pid });
    expect(await heard()).toEqual({ ok: true });
    closeSync(proof);
    said({ protocol: 3, do: 'tasks' });
    expect(await heard()).toMatchObject({ problem: expect.stringMatching(/version 2 .* not version 3/) });
    said({ do: 'dance' });
    expect(await heard()).toMatchObject({ next: { label: expect.stringContaining('watch') } });
    said('not json');
    expect(await heard()).toMatchObject({ problem: expect.stringContaining('not a request') });
    said({ do: 'attach' });
    expect(await heard()).toMatchObject({ problem: expect.stringContaining('No task of this session runs') });
    said({ do: 'tasks' });
    expect(await heard()).toEqual({ ok: true, tasks: [] });
    said({ do: 'abort', reason: 'enough' });
    expect(await heard()).toEqual({ ok: true });
    await run.ended;
  });

  test('says of its tasks which agent runs them, how and since when; one that is completed is done then', async () => {
    const before = Date.now();
    const place = project(stages([{ id: 'chat', adapter: 'scripted', prompt: 'talk' }]));
    const run = start(['pipeline', 'p.json'], place);
    await run.saw('chat: running');
    const id = sessionOf(place.cwd);
    const owner = await OwnerConnection.open(socketOf(place, id));
    const { tasks } = await owner.ask({ do: 'tasks' });
    expect(tasks).toMatchObject([{ id: 'chat', agent: 'scripted', mode: 'interactive', status: 'RUNNING' }]);
    expect(tasks?.[0]?.since).toBeGreaterThanOrEqual(before);
    owner.close();
    expect((await loopwright(['complete', id, '--task', 'chat'], place)).code).toBe(0);
    const sessions = SessionManager.onDisk(join(place.cwd, '.loopwright/sessions'));
    expect(sessions.load(id).session.tasks).toEqual({ chat: 'DONE' });
    await run.ended;
  });
});
