import { describe, expect, it } from 'vitest';
import { compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';
import type { Worker, WorkerRegistry } from '../worker.ts';

const worker = (extra: Partial<Worker> = {}): Worker => ({
  run: () => Promise.reject(new Error('never run at load')),
  ...extra,
});

function registry(workers: { [name: string]: Worker }, options: { lists?: boolean } = {}): WorkerRegistry {
  const get = (name: string): Worker | undefined => workers[name];
  return options.lists === false ? { get } : { get, names: () => Object.keys(workers) };
}

function problems(
  name: string,
  workers: WorkerRegistry | undefined,
  roster: object = {},
  fields: object = {},
): string[] {
  const input = {
    nodes: { A: { entry_block: 'Go', blocks: { Go: { worker: name, transitions: [], ...fields } } } },
    workers: roster,
  };
  return compileManifest(input, workers ? { workers } : {}).problems.map(formatProblem);
}

describe('the worker of a block', () => {
  it('ENG-19 is found in the registry', () => {
    expect(problems('Coder', registry({ Coder: worker() }))).toEqual([]);
  });

  it('ENG-19 an unknown Internal: name is an error, whether the registry can list names or not', () => {
    for (const lists of [true, false]) {
      const found = problems('Internal:TestRuner', registry({ 'Internal:TestRunner': worker() }, { lists }));
      expect(found).toEqual([
        expect.stringContaining(
          'node A, block Go, worker: There is no built-in worker "Internal:TestRuner".',
        ),
      ]);
      expect(found[0]?.includes('Did you mean "Internal:TestRunner"?')).toBe(lists);
    }
  });

  it('ENG-19 another unknown name is an error only when the registry can list its names', () => {
    const known = { Coder: worker() };
    expect(problems('Codr', registry(known))).toEqual([expect.stringContaining('Did you mean "Coder"?')]);
    expect(problems('Codr', registry(known, { lists: false }))).toEqual([]);
    expect(problems('Codr', registry(known), { Coda: { command: ['x'] } })).toHaveLength(1);
  });

  it('ENG-19 no name is checked without a registry', () => {
    expect(problems('Internal:Whatever', undefined)).toEqual([]);
  });

  it('ENG-19 a roster entry with a command is a program worker', () => {
    expect(problems('Fixer', registry({}), { Fixer: { command: ['node', 'fix.js'] } })).toEqual([]);
  });

  it('ENG-19 a roster entry with an agent needs the agent worker', () => {
    const withoutAgents = registry({ Coder: worker() });
    for (const entry of [{ agent: 'claude' }, { agents: ['claude', 'codex'] }]) {
      expect(problems('Fixer', withoutAgents, { Fixer: entry })).toEqual([
        expect.stringContaining('no agent worker is available here'),
      ]);
      expect(problems('Fixer', registry({ agent: worker() }), { Fixer: entry })).toEqual([]);
    }
  });

  it('ENG-19 a roster entry must say one thing that runs it', () => {
    expect(problems('Fixer', registry({}), { Fixer: { persona: 'p' } })).toEqual([
      expect.stringContaining('does not say what runs it'),
    ]);
    expect(problems('Fixer', registry({}), { Fixer: { command: ['x'], agent: 'claude' } })).toEqual([
      'workers.Fixer: Worker "Fixer" has command and agent; keep one of them.',
    ]);
  });

  it('ENG-19 a registered worker wins over the roster, and the roster cannot define Internal: names', () => {
    expect(problems('Fixer', registry({ Fixer: worker() }), { Fixer: { agent: 'claude' } })).toEqual([]);
    expect(problems('Internal:X', registry({}), { 'Internal:X': { command: ['x'] } })).toEqual([
      expect.stringContaining('no built-in worker'),
    ]);
  });

  it('ENG-19 names from the prototype of objects are unknown like any other', () => {
    expect(problems('toString', { get: () => undefined, names: () => [] })).toHaveLength(1);
  });

  it('ENG-19 reports what a worker has against its parameters', () => {
    const checking = worker({
      checkWith: ({ command }) => (Array.isArray(command) ? [] : ['"command" must be a list.']),
    });
    const workers = registry({ Run: checking });
    expect(problems('Run', workers, {}, { with: { command: 'ls' } })).toEqual([
      'node A, block Go, with: "command" must be a list.',
    ]);
    expect(problems('Run', workers, {}, { with: { command: ['ls'] } })).toEqual([]);
  });

  it('ENG-19 parameters are checked with the configuration filled in', () => {
    const seen: unknown[] = [];
    const checkWith = (parameters: object): string[] => {
      seen.push(parameters);
      return [];
    };
    const fields = { with: { timeout: '{{config.timeout}}', argv: ['{{inputs.file}}'] } };
    const nodes = { A: { entry_block: 'Go', blocks: { Go: { worker: 'Run', transitions: [], ...fields } } } };
    const { manifest } = compileManifest(nodes, {
      workers: registry({ Run: worker({ checkWith }) }),
      config: { timeout: 5 },
    });
    expect(seen).toEqual([{ timeout: 5, argv: ['{{inputs.file}}'] }]);
    expect(manifest?.blocks.A__Go?.with).toEqual(fields.with);
  });

  it('ENG-19 a check that throws is a problem of that block', () => {
    const broken = worker({
      checkWith: () => {
        throw new Error('boom');
      },
    });
    expect(problems('Run', registry({ Run: broken }))).toEqual([
      'node A, block Go, with: "Run" could not check its parameters: boom',
    ]);
  });
});
