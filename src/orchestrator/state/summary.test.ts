import fs, { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Orchestrator } from '../orchestrator.ts';
import { answer, chain, emitting } from '../testing.ts';
import type { Disk } from './files/session-folder.ts';
import { SessionManager } from './session-manager.ts';

describe('the list of sessions', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lw-summary-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const file = (id: string, name: string) => join(root, id, name);
  const ran = async (goal: string) => {
    const sessions = SessionManager.onDisk(root);
    const orchestrator = new Orchestrator(chain('A'), { sessions, workers: { A: emitting('SUCCESS') } });
    return (await orchestrator.execute('Main', { goal, task: { id: '7', run: 'r1' } })).sessionId;
  };

  /** A disk that counts the journals that are opened to be read. */
  function counting(): { readonly disk: Disk; readonly opened: string[] } {
    const opened: string[] = [];
    const openSync: Disk['openSync'] = (path, ...rest) => {
      if (String(path).endsWith('.jsonl')) opened.push(String(path));
      return fs.openSync(path, ...rest);
    };
    return { disk: { ...fs, openSync }, opened };
  }

  it('opens no journal', async () => {
    const ids = [await ran('one'), await ran('two'), await ran('three')];
    const { disk, opened } = counting();
    const sessions = SessionManager.onDisk(root, { disk });
    expect(ids.map((id) => sessions.summary(id))).toMatchObject([
      { goal: 'one', status: 'completed', step: 1, lastBlock: 'Main__A', task: { id: '7', run: 'r1' } },
      { goal: 'two', ownerAlive: false, questions: [], waitsFor: [], halt: null },
      { goal: 'three', files: null },
    ]);
    expect(opened).toEqual([]);
  });

  it('reads the journal once where the small file is missing, of an earlier version or left behind', async () => {
    const [missing, old, behind] = [await ran('missing'), await ran('old'), await ran('behind')];
    rmSync(file(missing, 'session.json'));
    const { journal: _journal, ...before } = JSON.parse(readFileSync(file(old, 'session.json'), 'utf8'));
    writeFileSync(file(old, 'session.json'), JSON.stringify(before));
    writeFileSync(
      file(behind, 'session.json'),
      readFileSync(file(behind, 'session.json'), 'utf8').replace('"completed"', '"running"'),
    );
    appendFileSync(file(behind, 'journal.1.jsonl'), '{"t":"half a line of an owner that died');
    const first = counting();
    const sessions = SessionManager.onDisk(root, first);
    for (const id of [missing, old]) expect(sessions.summary(id)).toMatchObject({ status: 'completed' });
    expect(sessions.summary(behind)).toMatchObject({ status: 'completed', ownerAlive: false });
    expect(first.opened).toHaveLength(3);
    const second = counting();
    const again = SessionManager.onDisk(root, second);
    expect([missing, old].map((id) => again.summary(id).status)).toEqual(['completed', 'completed']);
    expect(second.opened).toEqual([]);
  });

  it('shows a running session as its owner published it, and what is asked in it', async () => {
    const sessions = SessionManager.onDisk(root);
    let seen: unknown;
    const orchestrator = new Orchestrator(chain('A'), {
      sessions,
      workers: {
        A: (context, run) => {
          const asked = { status: 'WAITING_FOR_USER', question: 'Which?', choices: ['a', 'b'] } as const;
          run.progress({ type: 'task', task: 't', ...asked });
          seen = SessionManager.onDisk(root).summary(context.system_metadata.session_id);
          return answer(context, 'SIGNAL:SUCCESS');
        },
      },
    });
    await orchestrator.execute('Main', { goal: 'ask' });
    expect(seen).toMatchObject({
      status: 'running',
      ownerAlive: true,
      questions: [{ task: 't', question: 'Which?', choices: ['a', 'b'] }],
    });
  });

  it('says since when a session has its status', async () => {
    let now = 1000;
    const clock = { now: () => now, elapsed: () => now };
    const sessions = SessionManager.onDisk(root, { clock });
    const orchestrator = new Orchestrator(chain('A', 'B'), {
      sessions,
      clock,
      workers: {
        A: (context) => {
          now = 2000;
          return answer(context, 'SIGNAL:SUCCESS');
        },
        B: (_context, run) => {
          now = 3000;
          return run.park(new Date(9000), 'later', { agent: 'codex' });
        },
      },
    });
    const { sessionId } = await orchestrator.execute('Main', { goal: 'park' });
    expect(sessions.summary(sessionId)).toMatchObject({
      status: 'parked',
      since: 3000,
      createdAt: 1000,
      parkedUntil: 9000,
      parkedFor: 'codex',
      reason: 'later',
      lastBlock: 'Main__A',
      currentBlock: 'Main__B',
    });
  });

  it('in memory tells the same', async () => {
    const sessions = SessionManager.inMemory();
    const orchestrator = new Orchestrator(chain('A'), { sessions, workers: { A: emitting('SUCCESS') } });
    const { sessionId } = await orchestrator.execute('Main', { goal: 'g' });
    expect(sessions.summary(sessionId)).toMatchObject({ goal: 'g', status: 'completed', ownerAlive: false });
  });
});
