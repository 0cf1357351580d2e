import { describe, expect, it } from 'vitest';
import { AdapterRegistry } from '../registry/registry.ts';
import { withOwnModel } from './own-model.ts';

const registry = new AdapterRegistry();
const argsOf = (type: string, model: string) =>
  registry.create(type, { name: 'x', cwd: '/', model }).getLaunchConfig('headless', 'go').args;

describe('the model of an agent', () => {
  it.each([
    ['claude', 'anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['gemini', 'google/gemini-3-flash', 'gemini-3-flash'],
    ['opencode', 'anthropic/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['claude', 'opus', 'opus'],
    ['claude', 'us.anthropic.claude-v1:0', 'us.anthropic.claude-v1:0'],
  ])('CFG-03 %s is told %s as %s', (type, model, told) => {
    expect(argsOf(type, model).join(' ')).toMatch(
      new RegExp(`(?:^|[ =])${told.replaceAll('.', '\\.')}(?: |$)`),
    );
    expect(registry.problems(type, 'headless', { model })).toEqual([]);
  });

  it('CFG-03 so is codex, which is told it in its dialogue', () => {
    const codex = registry.definition('codex') ?? {};
    expect(withOwnModel({ model: 'openai/gpt-5' }, codex)).toEqual({ model: 'gpt-5' });
  });

  it('CFG-03 that of a foreign provider is refused, with the agents that could take it', () => {
    const [problem = ''] = registry.problems('claude', 'headless', { model: 'openai/gpt-5' });
    expect(problem).toContain('claude cannot use openai/gpt-5');
    expect(problem).toContain('use codex, copilot, opencode, pi or qwen');
    expect(registry.problems('codex', 'headless', { model: 'google/gemini-3' })[0]).toContain(
      'use copilot, gemini, opencode, pi or qwen',
    );
  });
});
