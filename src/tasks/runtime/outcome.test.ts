import { describe, expect, it } from 'vitest';
import { StorageError, UsageError } from '../../kernel/errors.ts';
import { releaseOf } from './outcome.ts';
import { AgentMissingError } from './require-agents.ts';

const rest = { restMs: 50, inPlace: false };

describe('what becomes of a task without a session that ended', () => {
  it('a full disk is waited for, with the session and the attempt it has', () => {
    const error = new StorageError('It could not be written.', { next: 'Free some space.', reason: 'full' });
    expect(releaseOf({ error }, rest)).toEqual({
      state: 'queued',
      restMs: 50,
      waitsFor: 'room on the disk',
      reason: 'It could not be written. Free some space.',
    });
  });

  it.each([
    [new UsageError('no clone.', { next: 'Set REPO_URL.' }), 'error', 'no clone. Set REPO_URL.'],
    [new AgentMissingError('no codex.', { next: 'Install it.' }), 'agent_missing', 'no codex. Install it.'],
    [new StorageError('the disk is full, says somebody.'), 'error', 'the disk is full, says somebody.'],
    [new Error('unforeseen'), 'error', 'unforeseen'],
  ])('ST-06 %s: it has failed, and the reason says what to do', (error, failureCode, reason) => {
    expect(releaseOf({ error }, rest)).toMatchObject({ state: 'failed', failureCode, reason });
  });
});
