import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from '../../backlog/scheduler.ts';
import { loadConfig } from '../../config/load-config.ts';
import { repoWith } from '../../verification/testing.ts';
import type { TestRepo } from '../../workspace/git/testing.ts';
import { taskChecks } from './task-checks.ts';

let repo: TestRepo;
beforeEach(() => {
  repo = repoWith({
    'package.json': JSON.stringify({ scripts: { test: 'node t.js', lint: 'node l.js' } }),
    '.loopwright/config.json': JSON.stringify({ commands: { test: 'node mine.js' } }),
  });
});
afterEach(() => repo.dispose());

const flow = (...workers: string[]) => ({
  nodes: {
    Main: {
      entry_block: 'B0',
      blocks: Object.fromEntries(workers.map((worker, i) => [`B${i}`, { worker, transitions: [] }])),
    },
  },
});

function checks(workers: string[], task: Partial<Claim['task']> = {}) {
  const claimed = { title: 'x', goal: 'x', role: 'worker', origin: 'person', commands: [], ...task };
  const claim = { task: { allowedPaths: [], deniedPaths: [], expectedFiles: [], ...claimed } };
  const config = loadConfig(repo.dir, { XDG_CONFIG_HOME: repo.base });
  const folder = { mode: 'local-git', folder: repo.dir };
  return taskChecks(config, flow(...workers), claim as unknown as Claim, folder);
}

describe('what is run on the untouched files of a task', () => {
  it("is the task's own commands where it has some", () => {
    const own = checks(['Internal:Verify'], { commands: ['cd src && node a.js'] });
    expect(own).toEqual([{ name: 'cd src && node a.js', line: 'cd src && node a.js' }]);
  });

  it('is what the verification would run otherwise, as configured', () => {
    expect(checks(['Internal:Verify'])).toEqual([
      { name: 'test', argv: ['node', 'mine.js'], env: {} },
      { name: 'lint', line: 'npm run lint' },
    ]);
  });

  it('is nothing for a flow that checks nothing, and what its blocks run besides', () => {
    expect(checks(['Coder'])).toEqual([]);
    expect(checks(['Internal:TestRunner']).map(({ name }) => name)).toEqual(['test']);
  });
});
