import { type LiveSession, type LiveStageTask, type LiveStatus, NOT_STARTED } from '../../api/live.ts';
import { isTaskStatus, type TaskStatus } from '../../manifest/task.ts';
import type { TaskLine } from '../../orchestrator/control/protocol.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';

/** What a face shows of a session that somebody began to run before it looked. */
export function liveOf({ state, manifest }: Snapshot, tasks: readonly TaskLine[]): LiveSession {
  const block = state.at === null ? undefined : manifest.blocks[state.at];
  const since = state.trail.at(-1)?.at ?? state.since;
  const isRunning = state.status === 'running' && block !== undefined;
  return {
    ...NOT_STARTED,
    session: state.id,
    status: state.status === 'held' ? 'halted' : (state.status satisfies LiveStatus),
    reason: state.halt?.message ?? state.statusReason ?? '',
    halt: state.halt,
    parkedUntil: state.parkedUntil,
    running: isRunning
      ? { step: state.step + 1, block: block.id, worker: block.worker, since, tail: '' }
      : null,
    last: state.trail.at(-1) ?? null,
    used: state.used,
    tasks: tasks.map((line) => taskOf(line, since)),
  };
}

function taskOf(
  { id, status, agent = '', mode = '', since, question, choices = [] }: TaskLine,
  at: number,
): LiveStageTask {
  return {
    id,
    name: id,
    agent,
    mode,
    status: isTaskStatus(status) ? status : ('RUNNING' satisfies TaskStatus),
    since: since ?? at,
    endedAt: null,
    tail: '',
    streams: false,
    tokens: 0,
    usd: 0,
    estimated: false,
    question: question ?? null,
    choices,
    asked: question === undefined ? 0 : 1,
    exit: {},
    problem: '',
  };
}
