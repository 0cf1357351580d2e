import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { prepareFor } from '../../src/tasks/prepare/prepare-for.ts';
import { readRules } from '../../src/verification/rules.ts';
import { runPass } from '../../src/verification/run-pass.ts';
import { readTaskFacts } from '../../src/verification/task-facts.ts';
import { gitTree, realPrograms, repoWith } from '../../src/verification/testing.ts';
import { deliver } from '../../src/workers/task-flow/deliver.ts';
import { contextFor, recordedRun, servicesFor } from '../../src/workers/testing.ts';
import { DeliveryLab } from '../../src/workspace/delivery/testing.ts';
import type { RunGit } from '../../src/workspace/git/bound-git.ts';
import { runGit } from '../../src/workspace/git/run-git.ts';
import { ModeLab, REQUEST, write } from '../modes/lab.ts';

const labs: { dispose(): void }[] = [];
afterEach(() => {
  for (const lab of labs.splice(0)) lab.dispose();
});

describe('a file that is rewritten after the checks passed', () => {
  it('is not committed: the tree that was verified is, by its id', async () => {
    const lab = new ModeLab();
    labs.push(lab);
    let root = '';
    // Where a process that a check left behind would wake up: after every look at the files.
    const options = {
      ...lab.options(),
      onStep: () => write(root, 'src/a.txt', 'evil\n'),
    };
    const prepared = await prepareFor('local-git', options)(lab.claim(), new AbortController().signal);
    root = prepared.path;
    write(root, 'src/a.txt', 'good\n');
    const tree = await prepared.taskTree.identity();
    const { artifacts } = await prepared.deliver({ ...REQUEST, tree });
    const commit = artifacts.find(({ type }) => type === 'commit')?.ref ?? '';
    expect(lab.git('show', `${commit}:src/a.txt`)).toBe('good\n');
    expect(lab.git('rev-parse', `${commit}^{tree}`).trim()).toBe(tree);
    const branch = artifacts.find(({ type }) => type === 'branch')?.ref ?? '';
    expect(lab.git('show', `${branch}:src/a.txt`)).toBe('good\n');
  });

  it('sends a task back to its checks instead of being delivered', async () => {
    const repo = repoWith({ 'src/a.js': 'bad' });
    labs.push(repo);
    const taskTree = gitTree(repo);
    repo.put('src/a.js', 'good');
    const content = { result: 'verified', commands: [], tree: await taskTree.identity() };
    const payload = [{ id: 'v', type: 'VERIFICATION', content }];
    const delivered: unknown[] = [];
    const delivery = {
      deliver: async (work: unknown) => {
        delivered.push(work);
        return { artifacts: [], review: false };
      },
    };
    const worker = deliver(servicesFor({ taskTree, delivery }));
    const context = contextFor({ payload, with: { task: { id: '7', title: 'x', goal: 'x' } } });
    expect(await worker.run(context, recordedRun())).toMatchObject({ signal: 'SIGNAL:SUCCESS' });
    repo.put('src/a.js', 'evil');
    const { signal, new_payload } = await worker.run(context, recordedRun());
    expect(signal).toBe('SIGNAL:FILES_CHANGED');
    expect(new_payload.at(-1)?.content).toContain('after the checks had passed: src/a.js');
    expect(delivered).toHaveLength(1);
  });

  it('by the check itself, is checked once more as it is now', async () => {
    const check = `import { readFileSync, writeFileSync } from 'node:fs';
      if (readFileSync('src/a.js', 'utf8') !== 'good') process.exit(1);
      writeFileSync('src/a.js', 'evil');`;
    const repo = repoWith({ 'src/a.js': 'bad', 'check.mjs': check });
    labs.push(repo);
    const tree = gitTree(repo);
    repo.put('src/a.js', 'good');
    const { run } = realPrograms(repo.dir);
    const input = {
      task: readTaskFacts({ allowedPaths: ['src/**'], commands: ['node check.mjs'] }),
      rules: readRules({ autoVerifyMode: 'off' }),
      allowedLater: [],
      noChangeAccepted: false,
      missingFiles: [],
      leftBehind: [],
    };
    const report = await runPass(input, { tree, run, projectDir: repo.base });
    expect(report.result).toBe('failed');
    expect(report.notes.join('\n')).toContain('changed while they ran: src/a.js');
  });

  it.each(['squash', 'merge'] as const)(
    'while a session is accepted (%s), does not come along',
    async (mode) => {
      const lab = new DeliveryLab();
      labs.push(lab);
      lab.work('a.txt', 'good\n');
      const run: RunGit = async (args, options) => {
        const outcome = await runGit(args, options);
        if (args.includes('merge-tree')) writeFileSync(join(lab.worktree, 'a.txt'), 'evil\n');
        return outcome;
      };
      expect(await lab.accept({ mode, run })).toMatchObject({ kind: 'accepted' });
      expect(readFileSync(join(lab.worktree, 'a.txt'), 'utf8')).toBe('evil\n');
      expect(lab.git('show', 'main:a.txt')).toBe('good\n');
      expect(lab.git('show', 'session/S1:a.txt')).toBe('good\n');
    },
  );

  it('before the delivery looked, but after the gates did, does not come along either', async () => {
    const lab = new DeliveryLab();
    labs.push(lab);
    lab.work('a.txt', 'good\n');
    lab.git('-C', lab.worktree, 'add', '-A');
    const tree = lab.git('-C', lab.worktree, 'write-tree').trim();
    lab.work('a.txt', 'evil\n');
    expect(await lab.accept({ tree })).toMatchObject({ kind: 'accepted' });
    expect(lab.git('show', 'main:a.txt')).toBe('good\n');
  });
});
