import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestRepo } from '../workspace/git/testing.ts';
import { learnPaths } from './changes/learned-paths.ts';
import { checkExpectedFiles } from './expected-files.ts';
import { readRules, type VerificationSettings } from './rules.ts';
import { type PassInput, runPass } from './run-pass.ts';
import { readTaskFacts, type TaskFacts } from './task-facts.ts';
import type { TaskTree } from './task-tree.ts';
import { folderTree, folderWith, gitTree, putIn, realPrograms, repoWith } from './testing.ts';

let repo: TestRepo;
let tree: TaskTree;
beforeEach(() => {
  repo = repoWith({
    'src/a.ts': 'a',
    'src/old.ts': '',
    'README.md': '',
    '.gitignore': 'secret.txt\n',
    'ok.js': '',
    'make.js': "for (const f of ['report.txt', 'src/made.ts']) require('fs').writeFileSync(f, '')",
    'fail.js': 'console.error("broken"); process.exit(1)',
  });
  tree = gitTree(repo);
});
afterEach(() => repo.dispose());

async function pass(
  facts: Partial<TaskFacts>,
  settings: VerificationSettings = {},
  more: Partial<PassInput> = {},
  on: TaskTree = tree,
) {
  const { run, started } = realPrograms(on.root);
  const task = readTaskFacts({ allowedPaths: ['src/**'], ...facts });
  const rules = readRules({ autoVerifyMode: 'off', ...settings });
  const input = {
    task,
    rules,
    allowedLater: [],
    noChangeAccepted: false,
    missingFiles: [],
    leftBehind: [],
    ...more,
  };
  const report = await runPass(input, { tree: on, run, projectDir: repo.base });
  return { ...report, started };
}

describe('one pass', () => {
  it('VER-02 finds a path violation before any command is run', async () => {
    repo.put('src/a.ts', 'b');
    repo.put('lib.ts', 'x');
    const report = await pass({ commands: ['node fail.js'] });
    expect(report).toMatchObject({
      result: 'policy_violation',
      violations: [{ path: 'lib.ts', why: 'outside' }],
      commands: [],
      started: [],
    });
  });

  it('VER-02 the evidence: what was changed, what was run, how it ended', async () => {
    repo.put('src/a.ts', 'b');
    repo.put('src/new.ts', '');
    rmSync(join(repo.dir, 'src/old.ts'));
    const report = await pass({ commands: ['node ok.js'] });
    expect(report).toMatchObject({
      result: 'verified',
      changes: { changed: ['src/a.ts'], added: ['src/new.ts'], removed: ['src/old.ts'] },
      commands: [{ command: 'node ok.js', exitCode: 0, covered: ['src/a.ts', 'src/new.ts', 'src/old.ts'] }],
    });
    const { started: _, ...evidence } = report;
    expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence);
  });

  it('VER-06 a failed command is stored with its source, exit code and the end of its output', async () => {
    repo.put('src/a.ts', 'b');
    expect(await pass({ commands: ['node fail.js'] })).toMatchObject({
      result: 'failed',
      commands: [{ command: 'node fail.js', source: 'explicit', exitCode: 1, errorEnd: 'broken\n' }],
    });
  });

  it('VER-13 products of builds do not count', async () => {
    repo.put('dist/a.js', '');
    repo.put('src/a.ts', 'b');
    repo.put('src/a.js', 'compiled');
    expect(await pass({ commands: ['node ok.js'] })).toMatchObject({
      result: 'verified',
      changes: { changed: ['src/a.ts'], added: [] },
      dropped: [
        { path: 'dist/a.js', why: 'generated' },
        { path: 'src/a.js', why: 'generated' },
      ],
    });
    repo.put('src/a.ts', 'a');
    expect(await pass({ commands: ['node ok.js'] })).toMatchObject({ result: 'no_change', started: [] });
  });

  it('VER-13 nor what the configuration, a list of the project or git leaves out', async () => {
    repo.put('gen/x.ts', '');
    repo.put('out.trace', '');
    repo.put('listed/y', '');
    putIn(repo.base, '.loopwright/generated-paths.txt', '# by hand\nlisted/\n');
    await learnPaths(repo.base, ['out.trace']);
    expect(await pass({}, { extraGeneratedPaths: ['gen/**'] })).toMatchObject({
      result: 'no_change',
      dropped: [{ path: 'gen/x.ts' }, { path: 'listed/y' }, { path: 'out.trace', why: 'learned' }],
    });
    const everything = {
      ...tree,
      changes: async () => ({ changed: [], added: ['secret.txt'], removed: [] }),
    };
    expect(await pass({}, {}, {}, everything)).toMatchObject({
      result: 'no_change',
      dropped: [{ path: 'secret.txt', why: 'ignored' }],
    });
  });

  it('VER-13 a list that an agent could write hides nothing that is denied', async () => {
    putIn(repo.base, '.loopwright/generated-paths.txt', 'keys/\n');
    repo.put('keys/id', 'x');
    expect(await pass({ deniedPaths: ['keys/**'] })).toMatchObject({
      violations: [{ path: 'keys/id', why: 'denied' }],
    });
  });

  it('VER-13 what commands leave behind is no work of the task, in this pass and the next', async () => {
    repo.put('src/a.ts', 'b');
    const task = { commands: ['node make.js'] };
    const report = await pass(task);
    expect(report).toMatchObject({
      result: 'verified',
      changes: { changed: ['src/a.ts'], added: ['src/made.ts'] },
      leftBehind: ['report.txt'],
    });
    expect(existsSync(join(repo.dir, 'report.txt'))).toBe(false);
    const direct = { ...tree, mode: 'direct' } as const;
    const { leftBehind } = await pass(task, {}, {}, direct);
    expect(existsSync(join(repo.dir, 'report.txt'))).toBe(true);
    expect(await pass(task, {}, { leftBehind }, direct)).toMatchObject({
      result: 'verified',
      dropped: [{ path: 'report.txt', why: 'left_behind' }],
    });
  });

  it('VER-04 nothing changed, accepted: a passing command makes it a success', async () => {
    const accepted = { noChangeAccepted: true };
    expect(await pass({ commands: ['node ok.js'] }, {}, accepted)).toMatchObject({ result: 'no_op' });
    expect(await pass({ commands: ['node fail.js'] }, {}, accepted)).toMatchObject({ result: 'failed' });
    expect(await pass({ commands: ['a | b'] }, {}, accepted)).toMatchObject({ result: 'no_change' });
    expect(await pass({ commands: [] }, {}, accepted)).toMatchObject({ result: 'no_change' });
    expect(await pass({ commands: ['node ok.js'] })).toMatchObject({ result: 'no_change', started: [] });
    expect(await pass({ commands: ['node ok.js'], verifyOnly: true })).toMatchObject({ result: 'no_op' });
  });

  it('VER-13 what the commands of a task make is not delivered where nobody said which paths it may change', async () => {
    repo.put('src/a.ts', 'b');
    repo.put(
      'products.js',
      "require('fs').writeFileSync('app.bin', 'x'); require('fs').writeFileSync('README.md', 'x')",
    );
    repo.put('by-agent.bin', 'x');
    const open = await pass({ allowedPaths: [], commands: ['node products.js'] });
    expect(open).toMatchObject({
      result: 'verified',
      changes: { changed: ['README.md', 'src/a.ts'], added: ['by-agent.bin', 'products.js'] },
      leftBehind: ['app.bin'],
    });
    rmSync(join(repo.dir, 'app.bin'), { force: true });
    const expected = await pass({
      allowedPaths: [],
      expectedFiles: ['app.bin'],
      commands: ['node products.js'],
    });
    expect(expected.changes.added).toContain('app.bin');
  });

  it('VER-12 nothing to run is a success that is marked', async () => {
    repo.put('src/a.ts', 'b');
    expect(await pass({})).toMatchObject({ result: 'unverified', notes: [expect.any(String)] });
    expect(await pass({ commands: ['true'] })).toMatchObject({ result: 'unverified' });
  });

  it('VER-12 everything skipped is a failure for code, and a marked success for documentation', async () => {
    repo.put('src/a.ts', 'b');
    expect(await pass({ commands: ['a | b'] })).toMatchObject({ result: 'failed' });
    expect(await pass({ role: 'docser', commands: ['npm test'] })).toMatchObject({ result: 'failed' });
    repo.put('src/a.ts', 'a');
    repo.put('README.md', 'new');
    expect(await pass({ allowedPaths: [], commands: ['a | b'] })).toMatchObject({ result: 'unverified' });
  });

  it('CMD-10 a denied command is distinguished from a failed one', async () => {
    repo.put('src/a.ts', 'b');
    expect(await pass({ commands: ['sudo make'] })).toMatchObject({ result: 'denied_command', started: [] });
    expect(await pass({ commands: ['node ok.js'] }, { deniedCommands: ['ok\\.js'] })).toMatchObject({
      result: 'denied_command',
    });
  });

  it('B-11 a visual probe that fails fails the pass', async () => {
    repo.put('src/a.ts', 'b');
    const visualProbes = [{ id: 'p', captureCommand: 'node ok.js', imagePath: 'f.png' }];
    putIn(repo.base, '.loopwright/verify.contract.json', JSON.stringify({ visualProbes }));
    expect(await pass({ commands: ['node ok.js'] }, { autoVerifyMode: 'contract' })).toMatchObject({
      result: 'failed',
      probes: [{ id: 'p', result: 'failed' }],
    });
  });

  it('POL-07 direct mode holds the difference of two snapshots against the same policy', async () => {
    const root = folderWith({ 'README.md': '', 'src/a.ts': '' });
    const direct = folderTree(root);
    putIn(root, 'README.md', 'changed');
    putIn(root, 'junk.log', '');
    putIn(root, 'src/a.ts', 'changed');
    const report = await pass({ mode: 'direct', commands: ['node -v'] }, {}, {}, direct);
    expect(report.violations.map(({ path }) => path)).toEqual(['README.md', 'junk.log']);
    rmSync(root, { recursive: true });
  });
});

describe('expected files', () => {
  it('RUN-07 GRD-05 names what is missing', () => {
    putIn(repo.dir, 'packages/x/src/f.ts', '');
    const expected = ['src/a.ts', 'src/b.ts', 'src/', 'lib/', 'packages/x/f.ts', './README.md'];
    expect(checkExpectedFiles(repo.dir, expected).missing).toEqual(['src/b.ts', 'lib/']);
  });

  it('RUN-07 does not look for patterns, secrets and nonsense', () => {
    const odd = ['', ' ', '*.ts', '.env', '.env.local', 'a/.env', '../x', '/etc/x'];
    expect(checkExpectedFiles(repo.dir, odd)).toEqual({ checked: [], missing: [] });
  });

  it('RUN-07 is a failure only where no command passed, or where that is wanted', async () => {
    repo.put('src/a.ts', 'b');
    const missingFiles = ['src/b.ts'];
    const passing = { commands: ['node ok.js'] };
    expect(await pass(passing, {}, { missingFiles })).toMatchObject({ result: 'verified', missingFiles });
    expect(await pass({}, {}, { missingFiles })).toMatchObject({ result: 'failed' });
    expect(await pass(passing, { strictExpectedFiles: true }, { missingFiles })).toMatchObject({
      result: 'failed',
      notes: ['Expected files are missing: src/b.ts.'],
    });
  });
});
