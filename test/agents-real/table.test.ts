import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chosenFrom, vitestArgs } from './subset.mjs';
import { resultsOf, tableOf } from './table.mjs';

const ROOT = process.cwd();

function test(cli: string, name: string, state: string, meta: object = {}) {
  return {
    name,
    parent: { type: 'suite', name: cli },
    meta: () => meta,
    result: () => ({ state }),
    diagnostic: () => ({ duration: 1234 }),
  };
}

describe('the table of CLI by scenario', () => {
  const results = resultsOf([
    test('claude', 'writes', 'passed', { counted: 10, served: 10 }),
    test('codex', 'writes', 'failed', { counted: 0, served: 7 }),
    test('codex', 'waits', 'skipped'),
    test('together', 'four in one stage', 'passed'),
  ]);

  it('has a column for each CLI that was tested, and what it counted of what it was served', () => {
    expect(tableOf(results, ['claude', 'codex', 'gemini']).split('\n')).toEqual([
      '',
      '        claude    codex',
      'writes  ok 1.2 s  FAIL 1.2 s',
      'waits   -         skipped',
      'four in one stage: ok 1.2 s',
      '',
      'Tokens counted of tokens served, input and output together; a terminal tells none:',
      '',
      '        claude  codex',
      'writes  10/10   0/7',
    ]);
  });

  it('is the same as JSON', () => {
    expect(results['writes']).toEqual({
      claude: { state: 'passed', ms: 1234, counted: 10, served: 10 },
      codex: { state: 'failed', ms: 1234, counted: 0, served: 7 },
    });
  });
});

describe('a subset of the CLIs', () => {
  it('is chosen by name, wherever the clone lies', () => {
    expect(vitestArgs(['claude', 'codex', '-t', 'a quota'], ROOT)).toEqual([
      'test/agents-real/claude.real.ts',
      'test/agents-real/codex.real.ts',
      '-t',
      'a quota',
    ]);
    expect(vitestArgs([], ROOT)).toEqual([]);
  });

  it('is refused by a name that is none, with those that are', () => {
    expect(() => vitestArgs(['claud'], ROOT)).toThrow(/no "claud"; choose from claude, .*opencode/);
  });

  it('leaves out none that there is', () => {
    const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.real.ts'));
    expect(chosenFrom().length).toBe(files.length);
  });
});
