import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Orchestrator } from '../orchestrator.ts';
import { answer, block, chain, emitting, pathOf } from '../testing.ts';
import { encodeLine } from './files/line.ts';
import type { Disk } from './files/session-folder.ts';
import { SessionManager } from './session-manager.ts';

describe('sessions on disk', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lw-sessions-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const workers = { A: emitting('SUCCESS'), B: emitting('FAILURE', 'SUCCESS'), C: emitting('SUCCESS') };
  const halting = {
    N: {
      entry_block: 'A',
      blocks: {
        A: block('A', { SUCCESS: 'JUMP:B' }),
        B: block('B', { FAILURE: 'HALT_AND_FLAG', SUCCESS: 'JUMP:C' }),
        C: block('C'),
      },
    },
  };
  const halted = async (options = {}) => {
    const sessions = SessionManager.onDisk(root);
    const orchestrator = new Orchestrator(halting, {
      workers: { ...workers, B: emitting('FAILURE') },
      sessions,
    });
    return orchestrator.execute('N', { goal: 'the goal', ...options });
  };
  const reopened = (id: string, disk?: Disk) =>
    Orchestrator.open(id, {
      workers: { ...workers, B: emitting('SUCCESS') },
      sessions: SessionManager.onDisk(root, disk ? { disk } : {}),
    });
  const file = (id: string, name: string) => join(root, id, name);

  it('SES-01 SES-05 another process finds goal, trail and payload, and continues where it stood', async () => {
    const { sessionId } = await halted({ inputs: { lang: 'Zig' } });
    const { session, state } = SessionManager.onDisk(root).load(sessionId);
    expect(session).toMatchObject({
      goal: 'the goal',
      status: 'halted',
      currentBlock: 'N__B',
      currentStageIndex: 1,
    });
    expect(state.inputs).toEqual({ lang: 'Zig' });
    const end = await reopened(sessionId).retry('try harder');
    expect(pathOf(end.trail)).toEqual(['N__A', 'N__B', 'N__B', 'N__C']);
    expect(SessionManager.onDisk(root).load(sessionId).session).toMatchObject({
      status: 'completed',
      currentBlock: null,
      currentStageIndex: 3,
    });
  });

  it('SES-01 without a goal the start is its name', async () => {
    const orchestrator = new Orchestrator(chain('A'), { workers, sessions: SessionManager.onDisk(root) });
    const { sessionId } = await orchestrator.execute('Main');
    expect(SessionManager.onDisk(root).load(sessionId).session.goal).toBe('Main');
  });

  it('SES-02 SES-03 what people typed is in the history with the block it was for', async () => {
    const { sessionId } = await halted();
    await reopened(sessionId).retry('try harder');
    const { history } = SessionManager.onDisk(root).load(sessionId).session;
    expect(history).toMatchObject([
      { kind: 'goal', text: 'the goal', block: null },
      { kind: 'guidance', text: 'try harder', block: 'N__B' },
    ]);
  });

  it('SES-04 session.json shows each change of status as soon as it is announced', async () => {
    const sessions = SessionManager.onDisk(root);
    const orchestrator = new Orchestrator(halting, {
      workers: { ...workers, B: emitting('FAILURE') },
      sessions,
    });
    const seen: unknown[] = [];
    orchestrator.events.subscribe((event) => {
      if (!event.type.startsWith('session.')) return;
      const { status, step } = JSON.parse(readFileSync(file(event.session, 'session.json'), 'utf8'));
      seen.push([event.type, status, step]);
    });
    await orchestrator.execute('N');
    expect(seen).toEqual([
      ['session.started', 'running', 0],
      ['session.halted', 'halted', 2],
    ]);
  });

  it('SES-04 SES-05 task statuses noted by a worker are shown, and only DONE survives an interruption', async () => {
    const orchestrator: Orchestrator = new Orchestrator(chain('Stage'), {
      sessions: SessionManager.onDisk(root),
      workers: {
        Stage: (context, run) => {
          if (run.earlier.length > 0)
            return answer(context, 'SIGNAL:SUCCESS', run.segment('SAW', [...run.earlier]));
          run.progress({ type: 'task', task: 'one', status: 'DONE', exit: {} });
          run.progress({ type: 'task', task: 'two', status: 'RUNNING' });
          const shown = JSON.parse(readFileSync(file(orchestrator.sessionId ?? '', 'session.json'), 'utf8'));
          expect(shown.tasks).toEqual({ one: 'DONE', two: 'RUNNING' });
          return new Promise((_, reject) => {
            run.cancel.addEventListener('abort', () => reject(new Error('stopped')));
            orchestrator.interrupt();
          });
        },
      },
    });
    const { sessionId } = await orchestrator.execute('Main');
    const session = await SessionManager.onDisk(root).open(sessionId);
    expect(session.state.tasks).toEqual({ one: 'DONE', two: 'PENDING' });
    session.release();
    const end = await orchestrator.resume();
    expect(end.payload[0]?.content).toMatchObject([{ task: 'one' }, { task: 'two' }]);
  });

  it('SES-06 an unknown task status is refused by name', async () => {
    const { sessionId } = await halted();
    const line = encodeLine({ t: 'progress', step: 2, note: { task: 'dev', status: 'MAYBE' } });
    fs.appendFileSync(file(sessionId, 'journal.1.jsonl'), line);
    expect(() => SessionManager.onDisk(root).load(sessionId)).toThrow('Task dev has the status "MAYBE"');
  });

  it('the journal decides: a missing or stale session.json is rebuilt', async () => {
    const { sessionId } = await halted();
    writeFileSync(file(sessionId, 'session.json'), '{"status":"completed"}');
    expect(SessionManager.onDisk(root).load(sessionId).session.status).toBe('halted');
    rmSync(file(sessionId, 'session.json'));
    await reopened(sessionId).retry();
    expect(JSON.parse(readFileSync(file(sessionId, 'session.json'), 'utf8')).status).toBe('completed');
  });

  it('a torn last line is recovered', async () => {
    const { sessionId } = await halted();
    fs.appendFileSync(file(sessionId, 'journal.1.jsonl'), '{"t":"step","step":3,"blo');
    const end = await reopened(sessionId).retry();
    expect(end.status).toBe('completed');
  });

  it('any other damage is an error that names file and line', async () => {
    const { sessionId } = await halted();
    const journal = file(sessionId, 'journal.1.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    lines[2] = lines[2]?.replace('"N__A"', '"N__X"') ?? '';
    writeFileSync(journal, lines.join('\n'));
    expect(() => SessionManager.onDisk(root).load(sessionId)).toThrow(
      /journal\.1\.jsonl, line 3: the line is damaged/,
    );
  });

  it('a damaged last line that is whole is an error too: only a cut one can be told from a crash', async () => {
    const { sessionId } = await halted();
    const journal = file(sessionId, 'journal.1.jsonl');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.replace(/"released"/, '"relaesed"'));
    expect(() => SessionManager.onDisk(root).load(sessionId)).toThrow(/line 5: the line is damaged/);
  });

  it('a session that could not be made leaves nothing behind', async () => {
    const orchestrator = new Orchestrator(chain('A'), {
      workers,
      sessions: SessionManager.onDisk(root, { disk: failingDisk('ENOSPC', () => true) }),
    });
    await expect(orchestrator.execute('Main')).rejects.toMatchObject({ name: 'StorageError' });
    expect(readdirSync(root)).toEqual([]);
  });

  it('a manifest changed after the start is refused', async () => {
    const { sessionId } = await halted();
    const manifest = file(sessionId, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('SIGNAL:FAILURE', 'SIGNAL:FAILURES'));
    expect(() => reopened(sessionId)).toThrow('not the one it was started with');
  });

  it('a session of a newer format is left alone with a clear message', async () => {
    const { sessionId } = await halted();
    const journal = file(sessionId, 'journal.1.jsonl');
    const [, ...rest] = readFileSync(journal, 'utf8').split('\n');
    const owner = { pid: 1, startTime: 'x', host: 'h' };
    writeFileSync(
      journal,
      [encodeLine({ t: 'claimed', format: 99, epoch: 1, owner, at: 0 }).trimEnd(), ...rest].join('\n'),
    );
    expect(() => reopened(sessionId)).toThrow('written by a newer loopwright (format 99');
  });

  it('a newer format is recognised even when its lines are checked in another way', async () => {
    const { sessionId } = await halted();
    const journal = file(sessionId, 'journal.1.jsonl');
    writeFileSync(
      journal,
      `{"t":"claimed","format":2,"epoch":1,"sum":"?"}\n${readFileSync(journal, 'utf8')}`,
    );
    expect(() => reopened(sessionId)).toThrow('written by a newer loopwright (format 2');
  });

  it('a file where the folder belongs is named', async () => {
    writeFileSync(join(root, 'file'), '');
    const sessions = SessionManager.onDisk(join(root, 'file'));
    const orchestrator = new Orchestrator(chain('A'), { workers, sessions });
    await expect(orchestrator.execute('Main')).rejects.toMatchObject({
      name: 'StorageError',
      next: { label: expect.stringContaining('move it away') },
    });
  });

  it.each(['../x', 'a/b', '', '.', 'x'.repeat(65), 'a\0b'])('SES-04 the id %o is refused', (id) => {
    expect(() => SessionManager.onDisk(root).load(id)).toThrow('is not a session id');
  });

  const failingDisk = (code: string, fails: (call: number) => boolean): Disk => {
    let calls = 0;
    const writeSync = (fd: number, data: string | Buffer): number => {
      if (!fails(++calls)) return fs.writeSync(fd, Buffer.from(data));
      fs.writeSync(fd, Buffer.from(data).subarray(0, 20));
      throw Object.assign(new Error(`${code}: the disk says no`), { code });
    };
    return { ...fs, writeSync: writeSync as typeof fs.writeSync };
  };

  it('a full disk stops the run with a next step, and nothing finished is lost', async () => {
    const { sessionId } = await halted();
    const broken = reopened(
      sessionId,
      failingDisk('ENOSPC', (call) => call > 4),
    );
    await expect(broken.retry()).rejects.toMatchObject({
      name: 'StorageError',
      next: { label: expect.stringContaining('The disk is full') },
    });
    const { state } = SessionManager.onDisk(root).load(sessionId);
    expect(pathOf([...state.trail]).slice(0, 2)).toEqual(['N__A', 'N__B']);
    const end = await reopened(sessionId).resume();
    expect(end.status).toBe('completed');
  });

  it('a folder that cannot be written is refused before anything starts', async () => {
    const disk: Disk = {
      ...fs,
      mkdirSync: () => {
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      },
    };
    const sessions = SessionManager.onDisk(join(root, 'sub'), { disk });
    const orchestrator = new Orchestrator(chain('A'), { workers, sessions });
    await expect(orchestrator.execute('Main')).rejects.toMatchObject({
      name: 'StorageError',
      next: { label: expect.stringContaining('permissions') },
    });
    expect(readdirSync(root)).toEqual([]);
  });

  it('limits and budgets are the same after a resume', async () => {
    const loop = {
      nodes: {
        N: { entry_block: 'A', blocks: { A: block('A', { SUCCESS: 'JUMP:A' }, { limits: { visits: 5 } }) } },
      },
      budget: { steps: 3 },
    };
    const sessions = SessionManager.onDisk(root);
    const { sessionId } = await new Orchestrator(loop, { workers, sessions }).execute('N');
    await expect(reopened(sessionId).resume()).resolves.toMatchObject({
      halt: { reason: 'budget' },
      used: { steps: 3 },
    });
    const end = await reopened(sessionId).resume({ budget: { steps: 100 } });
    expect(end).toMatchObject({ halt: { reason: 'limit' }, used: { steps: 5 } });
  });

  it('what is stored is private to its owner', async () => {
    const { sessionId } = await halted();
    expect(fs.statSync(join(root, sessionId)).mode & 0o777).toBe(0o700);
    expect(fs.statSync(file(sessionId, 'journal.1.jsonl')).mode & 0o777).toBe(0o600);
  });
});
