import { describe, expect, it } from 'vitest';
import { AGENT_NAMES } from '../../kernel/agent-names.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { AdapterOptions, IAgentAdapter, LaunchConfig } from '../adapter.ts';
import { AdapterRegistry } from './registry.ts';

class Plain implements IAgentAdapter {
  readonly name: string;
  constructor(options: AdapterOptions) {
    this.name = options.name;
  }
  getLaunchConfig(): LaunchConfig {
    return { command: 'true', args: [] };
  }
}

const options = { name: 'Dev', cwd: '/project' };

describe('AdapterRegistry (B-22)', () => {
  it('has the built-in types from the beginning, with their modes (ADP-10)', () => {
    const registry = new AdapterRegistry();
    expect(registry.types()).toEqual(AGENT_NAMES);
    for (const type of ['claude', 'codex', 'gemini', 'opencode', 'scripted']) {
      expect(registry.has(type)).toBe(true);
      expect(registry.metadata(type).modes).toEqual(['headless', 'interactive']);
      expect(registry.problems(type, 'headless')).toEqual([]);
    }
  });

  it('makes a new adapter every time, named as the task is (ADP-06, ADP-08, ADP-09)', () => {
    const registry = new AdapterRegistry();
    const [first, second] = [registry.create('claude', options), registry.create('claude', options)];
    expect(first).not.toBe(second);
    expect(first.name).toBe('Dev');
  });

  it('throws for an unknown type, naming it, the known ones and the one that was meant (ADP-11)', () => {
    const registry = new AdapterRegistry();
    expect(() => registry.create('nope', options)).toThrow(UsageError);
    expect(() => registry.create('nope', options)).toThrow(/"nope"/);
    const misspelt = () => registry.create('cluade', options);
    expect(misspelt).toThrow('Did you mean "claude"?');
    // In the message itself: where several problems of a manifest are listed, nothing else of the error is told.
    expect(misspelt).toThrow(`Known are ${AGENT_NAMES.join(', ')}.`);
    expect(() => registry.metadata('nope')).toThrow('"nope"');
    expect(registry.has('nope')).toBe(false);
  });

  it('takes a class with only a name and a launch config (ADP-01), and passes the options on (ADP-07)', () => {
    const seen: AdapterOptions[] = [];
    class Spy extends Plain {
      constructor(given: AdapterOptions) {
        super(given);
        seen.push(given);
      }
    }
    const registry = new AdapterRegistry();
    registry.register('mine', Spy, { modes: ['headless'] });
    const given = { ...options, env: { A: '1' } };
    registry.create('mine', given);
    expect(seen).toEqual([given]);
    expect(registry.metadata('mine')).toEqual({ displayName: 'mine', modes: ['headless'] });
    expect(registry.problems('mine', 'interactive')).toEqual(['mine has no interactive mode; use headless.']);
    expect(registry.definition('mine')).toBeUndefined();
  });

  it('replaces a type that is registered again', () => {
    const registry = new AdapterRegistry();
    registry.register('claude', Plain);
    expect(registry.create('claude', options)).toBeInstanceOf(Plain);
  });
});
