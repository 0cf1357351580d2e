import { expect, it } from 'vitest';
import type { History } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import { makeStyle } from '../display/style.ts';
import { storyLines } from './story.ts';

const NOW = 1_800_000_000_000;
const TASK = {
  id: 't',
  title: 'Fix it',
  goal: 'Fix it',
  kind: 'code',
  role: 'worker',
  state: 'done',
  allowedPaths: [],
} as unknown as Task;

/** A run of each epoch, left as the event of that epoch says. */
function story(...left: readonly [runState: string, event: object][]): string {
  const runs = left.map(([state], at) => ({
    id: `r${at}`,
    attempt: 1,
    sessionId: 's',
    agentId: 'me',
    epoch: at + 1,
    state,
    startedAt: NOW,
    finishedAt: NOW,
  }));
  const events = left.map(([, event], at) => ({
    seq: at,
    at: NOW,
    epoch: at + 1,
    reason: 'so it was',
    ...event,
  }));
  const history = { runs, events, artifacts: [] } as unknown as History;
  return storyLines(TASK, history, makeStyle(false), NOW).join('\n');
}

it('a run that was left to go on later is not called failed or cancelled', () => {
  const told = story(
    ['failed', { state: 'blocked', blockReason: 'quota_wait' }],
    ['cancelled', { state: 'queued' }],
    ['failed', { state: 'failed' }],
    ['success', { state: 'done' }],
  );
  expect(told.match(/attempt 1 [a-z ]+,/g)).toEqual([
    'attempt 1 parked,',
    'attempt 1 given back,',
    'attempt 1 failed,',
    'attempt 1 success,',
  ]);
});
