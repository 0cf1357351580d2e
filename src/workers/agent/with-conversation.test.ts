import { expect, it } from 'vitest';
import { AdapterRegistry } from '../../agents/registry/registry.ts';
import { continuable } from './with-conversation.ts';

it('a conversation is continued only where the agent can do it with its permissions and mode', () => {
  const adapters = new AdapterRegistry();
  const resume = { id: 'x' };
  const settings = { permissions: 'ask', maxTurns: 3 } as const;
  const known = (agent: string, mode: 'headless' | 'interactive') =>
    continuable(adapters, { agent, mode, settings }, resume)?.resume;
  expect(known('claude', 'headless')).toBe(resume);
  expect(known('codex', 'headless')).toBe(resume);
  expect(known('gemini', 'headless')).toBeUndefined();
  expect(known('gemini', 'interactive')).toBe(resume);
  expect(known('opencode', 'interactive')).toBeUndefined();
  expect(continuable(adapters, { agent: 'claude', mode: 'headless', settings }, undefined)).toBeUndefined();
});

it('a conversation of another session is taken up as a copy where the agent can make one, and else not at all', () => {
  const adapters = new AdapterRegistry();
  const resume = { id: 'x' };
  const taken = (agent: string, may: 'yes' | 'fork' | 'no') =>
    continuable(adapters, { agent, mode: 'headless', settings: {} }, resume, () => may);
  expect(taken('claude', 'fork')).toEqual({ resume, fork: true });
  expect(taken('codex', 'fork')).toEqual({ resume, fork: true });
  expect(taken('gemini', 'fork')).toBeUndefined();
  expect(taken('gemini', 'yes')).toEqual({ resume });
  expect(taken('claude', 'no')).toBeUndefined();
});
