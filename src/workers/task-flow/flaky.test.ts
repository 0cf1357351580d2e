import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Baseline } from '../../verification/baseline.ts';
import { readRules } from '../../verification/rules.ts';
import { runPass } from '../../verification/run-pass.ts';
import { readTaskFacts } from '../../verification/task-facts.ts';
import { gitTree, realPrograms, repoWith } from '../../verification/testing.ts';
import type { TestRepo } from '../../workspace/git/testing.ts';
import { outcomeIn, reportIn } from './segments.ts';
import { runFlow } from './testing.ts';

/** Fails in those of its runs that are named; counted beside the tree. */
const FAILS_AT = `
const fs = require('node:fs');
const [file, ...reds] = process.argv.slice(2);
const runs = 1 + (fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0);
fs.writeFileSync(file, String(runs));
process.exit(reds.includes(String(runs)) ? 1 : 0);
`;

let repo: TestRepo;
beforeEach(() => {
  repo = repoWith({ 'src/a.txt': 'a', 'fails-at.js': FAILS_AT });
});
afterEach(() => repo.dispose());

const counter = () => join(repo.base, 'runs');
const runs = () => (existsSync(counter()) ? readFileSync(counter(), 'utf8') : '0');
const failsAt = (...reds: number[]) => `node fails-at.js ${counter()} ${reds.join(' ')}`.trim();

describe('CHT-09 a flaky command of a task', () => {
  it('red, then green after an agent that changed nothing, is no repair: delivered for a verdict, with the mark', async () => {
    const change = () => repo.put('src/a.txt', 'b');
    const { state, delivered, coder } = await runFlow('code-task', {
      tree: gitTree(repo),
      projectDir: repo.base,
      task: { commands: [failsAt(1)] },
      coder: [change, undefined],
    });
    expect(state.status).toBe('completed');
    expect(reportIn(state.payload)).toMatchObject({
      result: 'unverified',
      commands: [{ result: 'flaky', runs: [{ color: 'red' }, { color: 'green', exitCode: 0 }] }],
    });
    expect(outcomeIn(state.payload)).toMatchObject({
      outcome: 'unverified',
      reason: expect.stringContaining('flaky'),
    });
    expect(delivered).toHaveLength(1);
    expect(coder).toHaveLength(2);
  });

  const pass = (command: string, baseline: Baseline['checks'][number]) => {
    repo.put('src/a.txt', 'changed');
    const { run } = realPrograms(repo.dir);
    const given = { allowedLater: [], noChangeAccepted: false, missingFiles: [], leftBehind: [] };
    return runPass(
      {
        ...given,
        task: readTaskFacts({ commands: [command] }),
        rules: readRules({ autoVerifyMode: 'off' }),
        baseline: { at: 0, commit: '', checks: [{ ...baseline, command: command.split(' ') }] },
      },
      { tree: gitTree(repo), run },
    );
  };
  const GREEN = {
    name: 'test',
    command: [],
    color: 'green',
    exitCode: 0,
    end: '',
    durationMs: 1,
    signature: null,
    log: '',
  } as const;

  it('a red of what was green before the work is run again before anybody is blamed', async () => {
    expect(await pass(failsAt(1), GREEN)).toMatchObject({
      result: 'unverified',
      commands: [{ result: 'flaky' }],
    });
    expect(runs()).toBe('2');
    expect(await pass(failsAt(3, 4), GREEN)).toMatchObject({ result: 'failed' });
  });

  it('what was flaky on the base needs two greens, and gets them counted', async () => {
    const flaky = { ...GREEN, color: 'red', flaky: true, signature: 'other' } as const;
    expect(await pass(failsAt(), flaky)).toMatchObject({
      result: 'verified',
      commands: [{ result: 'passed', runs: [{ color: 'green' }, { color: 'green' }] }],
    });
    expect(await pass(failsAt(4), flaky)).toMatchObject({
      result: 'unverified',
      commands: [{ result: 'flaky' }],
    });
  });
});
