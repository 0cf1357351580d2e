import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestRepo } from '../../workspace/git/testing.ts';
import { tokenize } from '../command-line.ts';
import { readRules, type VerificationSettings } from '../rules.ts';
import { runPass } from '../run-pass.ts';
import { readTaskFacts } from '../task-facts.ts';
import { gitTree, realPrograms, repoWith } from '../testing.ts';
import {
  type ConfiguredCommands,
  commandOrExample,
  projectCommand,
  projectCommands,
} from './project-commands.ts';

let repo: TestRepo;
beforeEach(() => {
  repo = repoWith({
    'package.json': JSON.stringify({ scripts: { test: 'node ok.js', lint: 'node ok.js' } }),
    'ok.js': '',
    'fail.js': 'process.exit(1)',
    'src/a.ts': '',
  });
});
afterEach(() => repo.dispose());

describe('the one resolver of commands', () => {
  it('a person comes before the workflow, the workflow before the project, the project before the example', () => {
    const tree = repo.dir;
    const configured = { test: 'node mine.js' };
    const memory = { test: 'node memory.js' };
    const said = [
      commandOrExample('test', { configured, memory, tree }),
      commandOrExample('test', { memory, tree }),
      commandOrExample('test', { tree }),
      commandOrExample('build', { tree }),
    ];
    expect(said.map(({ line, source }) => [source, line])).toEqual([
      ['configured', 'node mine.js'],
      ['workflow', 'node memory.js'],
      ['detected', 'npm run test'],
      ['example', 'npm run build'],
    ]);
    expect(said[2]?.from).toBe('package.json script "test"');
    expect(projectCommand('build', { tree })).toBeUndefined();
    expect(projectCommands({ configured, tree }).map(({ kind }) => kind)).toEqual(['test', 'lint']);
  });

  it('words are shown as a line that gives the words again', () => {
    const words = ['node', 'a b.js', "it's", '--x=$HOME'];
    const found = projectCommand('test', { configured: { test: words }, tree: repo.dir });
    expect(tokenize(found?.line ?? '')).toMatchObject({ argv: words });
  });
});

async function verified(configured: ConfiguredCommands, settings: VerificationSettings, model?: string[]) {
  repo.put('src/a.ts', 'changed');
  const { run, started } = realPrograms(repo.dir);
  const rules = readRules(settings);
  const given = { allowedLater: [], noChangeAccepted: false, missingFiles: [], leftBehind: [] };
  const input = { ...given, task: readTaskFacts({}), rules, ...(model ? { model } : {}) };
  const report = await runPass(input, { tree: gitTree(repo), run, commands: configured });
  return { ...report, started };
}

describe('verification with configured commands', () => {
  it('runs what is configured, never the script of package.json beside it or in its place', async () => {
    const report = await verified({ test: 'node fail.js' }, { autoVerifyMode: 'hybrid' });
    expect(report).toMatchObject({
      result: 'failed',
      started: ['npm run lint', 'node fail.js'],
      commands: [
        { result: 'passed' },
        { command: 'node fail.js', from: 'configured', result: 'failed', blocking: true },
      ],
    });
    const green = await verified({ test: ['node', 'ok.js', ';'] }, { autoVerifyMode: 'fallback' });
    expect(green).toMatchObject({ result: 'verified', started: ['npm run lint', 'node ok.js ;'] });
  });

  it('a configured command that cannot be run is a failure, not a skip, and nothing stands in for it', async () => {
    const report = await verified({ test: 'npm run test-all | tee log' }, { autoVerifyMode: 'hybrid' });
    expect(report).toMatchObject({ result: 'failed', started: ['npm run lint'] });
    const missing = await verified({ test: 'npm run tests' }, { autoVerifyMode: 'hybrid' });
    expect(missing).toMatchObject({
      result: 'failed',
      commands: [{ result: 'passed' }, { code: 'missing_script' }],
    });
    expect(missing.started).toEqual(['npm run lint', 'npm run tests']);
  });

  it('a model that names the script of a configured command gets the configured one', async () => {
    const report = await verified({ test: 'node fail.js' }, { autoVerifyMode: 'llm' }, ['npm test']);
    expect(report).toMatchObject({ result: 'failed', started: ['node fail.js'] });
  });
});
