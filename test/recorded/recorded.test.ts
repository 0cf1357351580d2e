import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentStream } from '../../src/agents/adapter.ts';
import type { AgentEvent } from '../../src/agents/event.ts';
import { Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import type { OrchestratorServices } from '../../src/orchestrator/services.ts';
import { openQuestions } from '../../src/project/sessions/open-questions.ts';
import { taskOfSession } from '../../src/project/sessions/task-session.ts';
import { releaseOf } from '../../src/tasks/runtime/outcome.ts';
import { NodeAgent, PipelineLab } from '../pipeline/lab.ts';

/** Says what it is told to as JSON lines, which are events already. */
class Speaking extends NodeAgent {
  openStream(): AgentStream {
    return {
      push: (line) => (line.startsWith('{') ? [JSON.parse(line) as AgentEvent] : []),
      end: () => [{ type: 'result', ok: true, text: '' }],
      conversation: { id: 'c1' },
      answer: (id, text) => `${id}=${text}\n`,
    };
  }
}

/**
 * Sessions as an earlier version wrote them: its progress notes had no type, and what parked, waiting and created
 * records say in fields now was only in their sentences. Only the folder of the project and the name of the machine
 * were replaced, in the recording by stand-ins and here by the real ones.
 */
describe('a session that an earlier version recorded', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
    lab.adapters.register('speaking', Speaking);
  });
  afterEach(() => lab.remove());

  /** Puts the recording into the project and gives its id. */
  function recorded(name: string): string {
    const from = fileURLToPath(new URL(`./${name}`, import.meta.url));
    const { id } = JSON.parse(readFileSync(join(from, 'session.json'), 'utf8')) as { id: string };
    const folder = join(lab.dir, '.loopwright', 'sessions', id);
    cpSync(from, folder, { recursive: true });
    for (const file of readdirSync(folder).filter((each) => each.endsWith('.jsonl')))
      writeFileSync(join(folder, file), rehomed(readFileSync(join(folder, file), 'utf8'), lab.dir));
    return id;
  }

  const resume = (id: string, more: Partial<OrchestratorServices> = {}) => {
    const orchestrator = Orchestrator.open(id, lab.services(more));
    orchestrator.events.subscribe((event) => lab.events.push(event));
    return { orchestrator, ended: orchestrator.resume() };
  };

  it('shows its tasks, what was said to them and what is asked', () => {
    const { state, session } = lab.sessions.load(recorded('asking'));
    expect(session.tasks).toEqual({ plan: 'DONE', quick: 'DONE', paint: 'WAITING_FOR_USER' });
    expect(session.exits).toEqual({ plan: { code: 0 }, quick: { code: 0 } });
    expect(session.history.filter(({ kind }) => kind === 'prompt').map(({ task }) => task)).toEqual([
      'plan',
      'quick',
      'paint',
    ]);
    expect(openQuestions({ state, ownerAlive: true })).toEqual([
      { task: 'paint', question: 'Which colour?', choices: ['red', 'green'] },
    ]);
  });

  it('is resumed: what is done is not done again, what was asked is asked again', async () => {
    const { orchestrator, ended } = resume(recorded('asking'));
    orchestrator.events.subscribe((event) => {
      if (event.type === 'task.interaction') orchestrator.answer('paint', 'green');
    });
    const end = await ended;
    expect(end.status).toBe('completed');
    expect(lab.statuses('quick')).toEqual([]);
    expect(lab.output('paint')).toContain('q=green');
    const outputs = end.payload.filter(({ type }) => type === 'TASK_OUTPUT');
    expect(outputs.map(({ content }) => (content as { task: string }).task)).toEqual([
      'plan',
      'quick',
      'paint',
    ]);
  });

  it('that has ended is loaded as it was', () => {
    const { session } = lab.sessions.load(recorded('answered'));
    expect(session).toMatchObject({ status: 'completed', step: 2, tasks: { paint: 'DONE' } });
    expect(session.history.findLast(({ kind }) => kind === 'input')).toMatchObject({
      task: 'paint',
      text: 'red',
    });
  });

  it('says which agent it is parked for, and waits for it on', async () => {
    const id = recorded('quota');
    expect(lab.sessions.load(id).state).toMatchObject({
      status: 'parked',
      parkedUntil: 4_000_000_000_000,
      parkedFor: 'speaking',
    });
    const end = await resume(id).ended;
    expect(end).toMatchObject({ status: 'parked', parkedUntil: 4_000_000_000_000, parkedFor: 'speaking' });
    expect(lab.statuses('Work')).toEqual([]);
    expect(releaseOf({ state: end }, { restMs: 1, inPlace: false })).toMatchObject({
      block: 'quota_wait',
      agent: 'speaking',
    });
  });

  it('is known as the run of its task, and counts how often delivery was tried', async () => {
    const id = recorded('task');
    const { state } = lab.sessions.load(id);
    expect(taskOfSession(state)).toBe('7');
    expect(state.parkedFor).toBeNull();
    const later = { until: 4_000_000_000_001, reason: 'still not' };
    const delivery = { deliver: () => Promise.resolve({ later, tries: 1 }) };
    const end = await resume(id, { delivery }).ended;
    expect(end.status).toBe('halted');
    expect(end.payload.at(-1)?.content).toContain('still not (tried 2 times)');
  });

  it('names the sessions that it waits for', () => {
    expect(lab.sessions.load(recorded('waiting')).state).toMatchObject({
      status: 'waiting',
      waitsFor: ['01RECORDEDQUOTA'],
    });
  });

  it('is forked with its notes', () => {
    const fork = lab.sessions.fork(recorded('answered'), 1);
    expect(lab.sessions.load(fork).session).toMatchObject({ step: 1, tasks: { plan: 'DONE' } });
  });
});

function rehomed(journal: string, dir: string): string {
  const lines = journal.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => {
      const text = line
        .slice(0, line.lastIndexOf(',"crc":"'))
        .replaceAll('/recorded/project', dir)
        .replaceAll('recorded-host', hostname());
      return `${text},"crc":"${crc32(text).toString(16).padStart(8, '0')}"}\n`;
    })
    .join('');
}
