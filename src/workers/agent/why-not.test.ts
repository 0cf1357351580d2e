import { describe, expect, it } from 'vitest';
import { agentError } from '../../agents/adapters/stream/error-kind.ts';
import type { AgentOutcome } from '../../agents/run-agent.ts';
import { whyNot } from './result.ts';

const OUTCOME: AgentOutcome = {
  ok: false,
  blocked: false,
  text: '',
  denied: [],
  files: [],
  web: { fetched: [], searched: [] },
  used: { tokens: { input: 0, cached: 0, output: 0 }, usd: 0, estimated: false },
  conversation: undefined,
  error: undefined,
  end: { kind: 'exited', code: 1, durationMs: 1 },
} as unknown as AgentOutcome;

function why(more: Partial<AgentOutcome>): string {
  return whyNot('claude', { ...OUTCOME, ...more }, 'itself');
}

describe('why a run does not count, and the way out', () => {
  it.each([
    'model: claude-opus-9 not found',
    "There's an issue with the selected model (claude-opus-9). It may not exist or you may not have access to it.",
    'The model `gpt-9` does not exist or you do not have access to it.',
    'models/gemini-9 is not found for API version v1beta, or is not supported (404 unknown model)',
  ])('a model that is not there: %s', (message) => {
    const error = agentError({ message, status: 404 }, 0);
    expect(error).toMatchObject({ kind: 'refused', about: 'model' });
    expect(why({ error })).toContain(`claude failed (refused): ${message}\nThe model is set by "model"`);
  });

  it.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    "This model's maximum context length is 128000 tokens.",
    'The input token count (1100000) exceeds the maximum number of tokens allowed',
  ])('more than the model can read: %s', (message) => {
    const error = agentError({ message, status: 400 }, 0);
    expect(error).toMatchObject({ kind: 'refused', about: 'context' });
    expect(why({ error })).toContain('It was given more than its model can read');
  });

  it('a time limit names the setting', () => {
    const end = { kind: 'timed-out', limit: 'total', afterMs: 60_000, durationMs: 60_000 } as const;
    expect(why({ end })).toBe(
      'claude was ended after 60 s, its time limit ("minutes" of its worker, or "timeoutMinutes" of the configuration).',
    );
    expect(why({ end: { ...end, limit: 'silence' } })).toContain('"silenceMinutes" of its worker');
  });

  it('a denied tool has the reason of the CLI', () => {
    const denied = [
      { tool: 'Bash', reason: 'This command requires approval.\nmore' },
      { tool: 'Write', reason: '' },
    ];
    expect(why({ denied })).toContain(
      'It was not allowed to use Bash (This command requires approval), Write: by its "permissions"',
    );
  });

  it('other errors are told as they are', () => {
    expect(why({ error: { type: 'error', kind: 'crash', message: 'Segmentation fault' } })).toBe(
      'claude failed (crash): Segmentation fault',
    );
  });
});
