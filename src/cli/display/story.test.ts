import { expect, it } from 'vitest';
import type { Story } from '../../project/backlog/tasks.ts';
import { storyLines } from './story.ts';
import { makeStyle } from './style.ts';

const NOW = 1_800_000_000_000;
const TASK = {
  id: 't',
  title: 'Fix it',
  goal: 'Fix it',
  kind: 'code',
  role: 'worker',
  state: 'done',
  allowedPaths: [],
};

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
    evidence: [],
  }));
  const events = left.map(([, event], at) => ({
    seq: at,
    at: NOW,
    epoch: at + 1,
    reason: 'so it was',
    ...event,
  }));
  const told = { ...TASK, runs, events, artifacts: [] } as unknown as Story;
  return storyLines(told, makeStyle(false), NOW).join('\n');
}

it('a run that was left to continue later is not called failed or cancelled', () => {
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
