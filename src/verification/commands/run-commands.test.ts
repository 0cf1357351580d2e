import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlannedCommand } from '../automatic/plan-commands.ts';
import type { Baseline } from '../baseline.ts';
import { failureSignature } from '../failure-signature.ts';
import { readRules, type VerificationSettings } from '../rules.ts';
import { fakeTool, folderWith, putIn, realPrograms } from '../testing.ts';
import { runCommands } from './run-commands.ts';

let root: string;
beforeEach(() => {
  root = folderWith({
    '1.js': 'require("fs").appendFileSync("log", "1")',
    '2.js': 'require("fs").appendFileSync("log", "2")',
    'ok.js': '',
    'fail.js': 'console.error("broken"); process.exit(1)',
    'missing.js': 'console.error("npm error Missing script: x"); process.exit(1)',
    'packages/a/x.ts': '',
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const explicit = (command: string): PlannedCommand => ({ command, source: 'explicit', from: 'task' });
const automatic = (command: string): PlannedCommand => ({ command, source: 'automatic', from: 'contract' });

async function run(
  commands: readonly PlannedCommand[],
  settings: VerificationSettings = {},
  more: { changed?: string[]; baseline?: Baseline } = {},
) {
  const { run: program, started } = realPrograms(root, {
    ...process.env,
    PATH: `${root}/tools:${process.env['PATH']}`,
  });
  const rules = readRules({ inlineCommandRecovery: false, ...settings });
  const { changed = ['src/a.ts'], baseline } = more;
  const records = await runCommands({ commands, rules, root, changed, baseline }, program);
  return { records, started, results: records.map(({ result }) => result) };
}

describe('the list of commands', () => {
  it('VER-01 is run in the order given', async () => {
    const { results } = await run([explicit('node 1.js'), explicit('node 2.js')]);
    expect(results).toEqual(['passed', 'passed']);
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe('12');
  });

  it('a runner that found no test to run is no evidence', async () => {
    putIn(root, 'none.js', 'console.log("# tests 0\\n# pass 0\\n# fail 0")');
    const { records } = await run([explicit('node none.js'), explicit('node ok.js')]);
    expect(records).toMatchObject([{ result: 'passed', neverFails: 'it ran no test' }, { result: 'passed' }]);
    expect(records[1]).not.toHaveProperty('neverFails');
  });

  it('VER-01 stops at the first failure that nothing excuses', async () => {
    const { records, started } = await run([explicit('node fail.js'), explicit('node 2.js')]);
    expect(records).toMatchObject([
      {
        result: 'failed',
        blocking: true,
        exitCode: 1,
        source: 'explicit',
        errorEnd: 'broken\n',
        code: 'failed',
      },
    ]);
    expect(started).toEqual(['node fail.js']);
  });

  it('notes what a command covered and how long it took', async () => {
    const changed = ['packages/a/x.ts', 'src/a.ts'];
    const { records } = await run(
      [explicit('node ok.js'), explicit('cd packages/a && pwd')],
      {},
      { changed },
    );
    expect(records[0]).toMatchObject({
      covered: changed,
      exitCode: 0,
      durationMs: expect.any(Number) as number,
    });
    expect(records[1]?.covered).toEqual(['packages/a/x.ts']);
  });

  it('CMD-04 a lone cd holds for later commands of the same source, a cd in a chain does not', async () => {
    const pwd = (expected: string) => `test ${join(root, expected)} -ef .`;
    const { results } = await run([
      explicit('cd packages/a && pwd'),
      explicit(pwd('')),
      explicit('cd packages'),
      explicit(pwd('packages')),
      explicit('cd a && pwd'),
      explicit(pwd('packages')),
      automatic(pwd('')),
    ]);
    expect(results).toEqual(Array.from({ length: 7 }, () => 'passed'));
  });

  it('CMD-06 what cannot be run is skipped where other coverage remains, never silently', async () => {
    const { records } = await run([explicit('a | b'), explicit('node ok.js')]);
    expect(records).toMatchObject([
      { result: 'skipped', code: 'unsupported_format', reason: expect.stringContaining('pipe') as string },
      { result: 'passed' },
    ]);
    expect((await run([explicit('node ok.js'), explicit('a | b')])).results).toEqual(['passed', 'skipped']);
    expect((await run([explicit('a | b')])).records).toMatchObject([
      { result: 'failed', blocking: true, code: 'unsupported_format' },
    ]);
  });

  it('a denied command stops everything, whatever follows', async () => {
    const { records, started } = await run([explicit('sudo make'), explicit('node ok.js')]);
    expect(records).toMatchObject([{ result: 'failed', blocking: true, code: 'denied_command' }]);
    expect(started).toEqual([]);
  });

  it('a command that can never fail is called out', async () => {
    const { records } = await run([explicit('true')]);
    expect(records).toMatchObject([{ result: 'passed', neverFails: expect.any(String) as string }]);
  });
});

describe('what is excused', () => {
  const missing = explicit('node missing.js');

  it('CFG-16 VER-09 a missing script of an explicit command when more follow, or no code was changed', async () => {
    expect((await run([missing, explicit('node ok.js')])).results).toEqual(['skipped', 'passed']);
    expect((await run([missing], {}, { changed: ['docs/a.md'] })).results).toEqual(['skipped']);
    expect((await run([missing], {}, { changed: [] })).results).toEqual(['skipped']);
    expect((await run([missing])).results).toEqual(['failed']);
    expect((await run([explicit('node ok.js'), missing])).results).toEqual(['passed', 'failed']);
  });

  it('CFG-16 a last command for all packages after an earlier pass', async () => {
    fakeTool(join(root, 'tools'), 'pnpm', 'echo "ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT"; exit 1');
    const list = [explicit('node ok.js'), explicit('pnpm -r test')];
    expect((await run(list)).results).toEqual(['passed', 'skipped']);
  });

  it('CFG-16 false: nothing is skipped', async () => {
    const settings = { skipMissingExplicitScript: false };
    expect((await run([missing, explicit('node ok.js')], settings)).results).toEqual(['failed']);
  });

  it('CFG-17 VER-10 an automatic command that could check nothing', async () => {
    const none = automatic('node missing.js');
    expect((await run([automatic('node ok.js'), none])).results).toEqual(['passed', 'skipped']);
    expect((await run([none, automatic('node ok.js')])).results).toEqual(['skipped', 'passed']);
    const settings = { skipInvalidAutoCommand: false, autoNonBlockingAfterExplicitPass: false };
    expect((await run([none, automatic('node ok.js')], settings)).results).toEqual(['failed']);
    expect((await run([none])).results).toEqual(['failed']);
  });

  it('CFG-18 VER-10 an automatic failure does not block after an explicit pass', async () => {
    const list = [explicit('node ok.js'), automatic('node fail.js')];
    expect((await run(list)).records[1]).toMatchObject({ result: 'failed', blocking: false });
    const settings = { autoNonBlockingAfterExplicitPass: false };
    expect((await run(list, settings)).records[1]).toMatchObject({ result: 'failed', blocking: true });
    const without = [automatic('node ok.js'), automatic('node fail.js')];
    expect((await run(without)).records[1]).toMatchObject({ result: 'failed', blocking: true });
  });

  it('what was red before in the same way is noted, and not held against the agent by itself', async () => {
    const end = 'ended with exit code 1';
    const signature = failureSignature(end, ['broken\n']);
    const old = {
      name: 'test',
      command: ['node', 'fail.js'],
      color: 'red',
      exitCode: 1,
      end,
      durationMs: 1,
    } as const;
    const baseline = { at: 1, commit: 'c', checks: [{ ...old, signature, log: '' }] };
    expect((await run([automatic('node fail.js')], {}, { baseline })).records).toMatchObject([
      { result: 'skipped', redBefore: true },
    ]);
    expect((await run([explicit('node fail.js')], {}, { baseline })).records).toMatchObject([
      { result: 'failed', blocking: true, redBefore: true },
    ]);
  });
});

describe('replacing a command in place', () => {
  const recovery = { inlineCommandRecovery: true };
  beforeEach(() => {
    putIn(root, 'package.json', JSON.stringify({ scripts: { test: 'x', lint: 'x', typecheck: 'x' } }));
    putIn(root, 'package-lock.json', '{}');
    const npm = [
      'echo "npm $*" >> npm.log',
      'if [ "$1" = ci ]; then touch installed; fi',
      'test "$2" != lint',
    ];
    fakeTool(join(root, 'tools'), 'npm', npm.join('\n'));
    fakeTool(
      join(root, 'tools'),
      'checker',
      'test -f installed || { echo "sh: vitest: not found"; exit 127; }',
    );
  });
  const calls = () => readFileSync(join(root, 'npm.log'), 'utf8').trim().split('\n');

  it('CFG-19 VER-11 installs what is missing and runs the command again', async () => {
    const { records } = await run([explicit('checker')], recovery);
    expect(records).toMatchObject([
      { result: 'recovered', code: 'setup_issue', recoveredBy: ['npm ci', 'checker'], exitCode: 127 },
    ]);
    expect(calls()).toEqual(['npm ci']);
  });

  it('CFG-19 VER-11 takes a fitting script for what cannot be run', async () => {
    const { records } = await run([explicit('npx vitest | tee log')], recovery);
    expect(records).toMatchObject([
      { result: 'recovered', code: 'unsupported_format', recoveredBy: ['npm run test'], exitCode: null },
    ]);
  });

  it('CFG-19 false: nothing is replaced', async () => {
    const { records } = await run([explicit('checker')], { inlineCommandRecovery: false });
    expect(records).toMatchObject([{ result: 'failed', code: 'setup_issue' }]);
  });

  it('CFG-20 tries at most so many', async () => {
    const failing = 'npx eslint --lint-and-test tsc | cat';
    await run([explicit(failing)], { ...recovery, inlineCommandRecoveryCandidates: 1 });
    expect(calls()).toEqual(['npm run typecheck']);
    expect(readRules({ inlineCommandRecoveryCandidates: 99 }).inlineCommandRecoveryCandidates).toBe(8);
    expect(readRules({ inlineCommandRecoveryCandidates: 0 }).inlineCommandRecoveryCandidates).toBe(1);
  });

  it('CFG-19 a lock file that no longer fits is brought up to date, and only then', async () => {
    const npm = [
      'echo "npm $*" >> npm.log',
      'if [ "$1" = ci ]; then cat ci-says; exit 1; fi',
      'if [ "$1" = install ]; then touch installed; fi',
    ];
    fakeTool(join(root, 'tools'), 'npm', npm.join('\n'));
    putIn(root, 'package.json', '{}');
    putIn(root, 'ci-says', 'npm error no space left');
    expect((await run([explicit('checker')], recovery)).results).toEqual(['failed']);
    expect(calls()).toEqual(['npm ci']);
    putIn(
      root,
      'ci-says',
      'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
    );
    const { records } = await run([explicit('checker')], recovery);
    expect(records).toMatchObject([{ result: 'recovered', recoveredBy: ['npm install', 'checker'] }]);
    expect(calls()).toEqual(['npm ci', 'npm ci', 'npm install']);
  });

  it('WORKER_SETUP_IN_PROCESS_RECOVERY false: nothing is installed', async () => {
    const { records } = await run([explicit('checker')], { ...recovery, setupRecovery: false });
    expect(records).toMatchObject([{ result: 'failed', code: 'setup_issue' }]);
    expect(existsSync(join(root, 'npm.log'))).toBe(false);
  });

  describe('in a workspace', () => {
    const changed = ['packages/a/x.ts'];
    beforeEach(() => {
      putIn(root, 'pnpm-lock.yaml', '');
      putIn(
        root,
        'packages/a/package.json',
        JSON.stringify({ name: 'a', scripts: { test: 'x', lint: 'x' } }),
      );
      putIn(root, 'packages/b/package.json', JSON.stringify({ name: 'b' }));
      fakeTool(
        join(root, 'tools'),
        'pnpm',
        'if [ "$1" = run ]; then exit 0; fi; echo "packages/b: 1 test failed"; exit 1',
      );
    });

    it('B-12 CFG-16 a command for all packages that fails is run in the one that was changed, by the manager of the repository', async () => {
      const { records } = await run([explicit('pnpm -r test')], recovery, { changed });
      expect(records).toMatchObject([
        { result: 'recovered', code: 'failed', recoveredBy: ['cd packages/a && pnpm run test'] },
      ]);
    });

    it.each([
      ['--filter names its packages', 'pnpm -r --filter ./packages/* test', changed],
      ['two packages were changed', 'pnpm -r test', [...changed, 'packages/b/y.ts']],
      ['the root was changed', 'pnpm -r test', ['x.ts']],
    ])('B-12 not where %s', async (_why, command, paths) => {
      const { records } = await run([explicit(command)], recovery, { changed: paths });
      expect(records).toMatchObject([{ result: 'failed', code: 'failed' }]);
    });

    it('B-12 not where another package needs the changed one: the change may have broken it', async () => {
      putIn(root, 'packages/b/package.json', JSON.stringify({ name: 'b', dependencies: { a: '*' } }));
      const { records } = await run([explicit('pnpm -r test')], recovery, { changed });
      expect(records).toMatchObject([{ result: 'failed', code: 'failed' }]);
    });

    it('CFG-19 what stands in for a command that cannot be started is looked for in the changed package first', async () => {
      const settings = { ...recovery, setupRecovery: false };
      const { records } = await run([explicit('no-such-linter lint')], settings, { changed });
      expect(records).toMatchObject([
        { result: 'recovered', code: 'setup_issue', recoveredBy: ['cd packages/a && pnpm run lint'] },
      ]);
    });
  });

  it('B-12 a real failure is never replaced', async () => {
    const { records } = await run([explicit('node fail.js')], recovery);
    expect(records).toMatchObject([{ result: 'failed', code: 'failed' }]);
  });
});
