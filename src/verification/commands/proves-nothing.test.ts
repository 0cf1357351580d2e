import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestRepo } from '../../workspace/git/testing.ts';
import { readRules } from '../rules.ts';
import { runPass } from '../run-pass.ts';
import { readTaskFacts } from '../task-facts.ts';
import { gitTree, realPrograms, repoWith } from '../testing.ts';
import { provesNothing, wordsProveNothing } from './proves-nothing.ts';

let repo: TestRepo;
beforeEach(() => {
  const scripts = {
    empty: 'true',
    says: 'echo ok && exit 0',
    deep: 'npm run empty',
    circle: 'npm run circle',
    real: 'node t.js',
    mixed: 'npm run empty && npm run real',
  };
  repo = repoWith({
    'package.json': JSON.stringify({ scripts }),
    'src/package.json': JSON.stringify({ scripts: { real: 'true' } }),
    'src/a.ts': '',
    't.js': '',
  });
});
afterEach(() => repo.dispose());

describe('commands that prove nothing', () => {
  it.each([
    ['', 'cd src', 'cd src && cd ..', 'true', 'echo ok', 'cd src && echo ok'],
    ['npm run empty', 'npm run says', 'npm run deep', 'cd src && npm run real', 'npm run empty && cd src'],
  ])('are named', (...commands) => {
    for (const command of commands)
      expect([command, provesNothing(command, repo.dir)]).toEqual([command, expect.any(String)]);
  });

  it('are only those: what could have failed is evidence', () => {
    for (const command of [
      'npm run real',
      'npm run mixed',
      'npm run circle',
      'node t.js',
      'cd src && node a.js',
    ])
      expect([command, provesNothing(command, repo.dir)]).toEqual([command, undefined]);
    expect(wordsProveNothing(['npm', 'run', 'deep'], repo.dir)).toContain('npm run empty');
    expect(wordsProveNothing(['cd', 'src'], repo.dir)).toEqual(expect.any(String));
  });
});

describe('a task whose commands prove nothing', () => {
  it.each([['cd src'], ['cd src', 'cd ..'], ['npm run deep'], ['npm run empty && cd src']])(
    'is unverified: %s',
    async (...commands) => {
      repo.put('src/a.ts', 'broken(');
      const { run } = realPrograms(repo.dir);
      const given = { allowedLater: [], noChangeAccepted: false, missingFiles: [], leftBehind: [] };
      const rules = readRules({ autoVerifyMode: 'off' });
      const report = await runPass(
        { ...given, task: readTaskFacts({ commands }), rules },
        { tree: gitTree(repo), run },
      );
      expect(report.result).toBe('unverified');
      expect(report.commands.map(({ neverFails }) => neverFails)).toEqual(
        commands.map(() => expect.any(String) as string),
      );
    },
  );
});
