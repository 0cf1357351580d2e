import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAutoVerifyMode, readRules, type VerificationSettings } from '../rules.ts';
import { readTaskFacts, type TaskFacts } from '../task-facts.ts';
import { folderWith, putIn } from '../testing.ts';
import { contractCommands, readContract } from './contract.ts';
import type { Decide } from './model-plan.ts';
import { planCommands } from './plan-commands.ts';

const CONTRACT = '.loopwright/verify.contract.json';

let root: string;
beforeEach(() => {
  root = folderWith({ 'package.json': JSON.stringify({ scripts: { test: 'x', lint: 'y' } }) });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function plan(
  settings: VerificationSettings,
  more: { task?: Partial<TaskFacts>; changed?: string[]; decide?: Decide } = {},
) {
  const contract = readContract([root], CONTRACT);
  const { changed = ['src/a.ts'], decide } = more;
  const rules = readRules(settings);
  const planned = await planCommands({
    task: readTaskFacts({ ...more.task }),
    rules,
    root,
    changed,
    contract,
    decide,
  });
  return planned.filter(({ objection }) => objection === undefined).map(({ command }) => command);
}

const withContract = (contract: object) => putIn(root, CONTRACT, JSON.stringify(contract));

describe('the contract', () => {
  it('VER-08 B-11 gives commands always, by role and by changed paths, in this order', async () => {
    const rules = [
      { whenChangedAny: ['apps/api/**'], commands: ['a'] },
      { whenChangedAny: ['apps/web/**'], commands: ['no'] },
    ];
    withContract({ commands: ['r'], byRole: { worker: ['w'], tester: ['t'] }, rules });
    const contract = readContract([root], CONTRACT);
    expect(contractCommands(contract, 'worker', ['apps/api/x.ts'])).toEqual(['r', 'w', 'a']);
    expect(await plan({ autoVerifyMode: 'contract' }, { changed: ['apps/api/x.ts'] })).toEqual([
      'r',
      'w',
      'a',
    ]);
  });

  it('B-11 whenChangedAll wants a changed file for every pattern', () => {
    withContract({ rules: [{ whenChangedAll: ['a/**', 'b/**'], commands: ['both'] }] });
    const contract = readContract([root], CONTRACT);
    expect(contractCommands(contract, 'worker', ['a/x'])).toEqual([]);
    expect(contractCommands(contract, 'worker', ['a/x', 'b/y'])).toEqual(['both']);
  });

  it.each(['{', '[]', '{"commands": "npm test"}', '{"rules": [{"commands": 1}]}'])(
    'B-11 broken as %j counts as absent',
    (text) => {
      putIn(root, CONTRACT, text);
      expect(readContract([root], CONTRACT)).toMatchObject({ commands: [], rules: [], visualProbes: [] });
    },
  );

  it('the project’s own file outweighs the one in the tree of the task', () => {
    withContract({ commands: ['weakened'] });
    const project = folderWith({ [CONTRACT]: JSON.stringify({ commands: ['real'] }) });
    expect(readContract([project, root], CONTRACT).commands).toEqual(['real']);
    rmSync(project, { recursive: true });
  });
});

describe('automatic commands', () => {
  const decide: Decide = async () => '{"commands": ["node model.js"]}';
  beforeEach(() => withContract({ commands: ['node contract.js'] }));

  it('CFG-11 VER-07 each mode adds its own', async () => {
    const all = (mode: string, commands: string[] = []) =>
      plan({ autoVerifyMode: mode }, { decide, task: { commands } });
    expect(await all('off', ['x'])).toEqual(['x']);
    expect(await all('contract')).toEqual(['node contract.js']);
    expect(await all('llm')).toEqual(['node model.js']);
    expect(await all('hybrid')).toEqual(['node contract.js', 'node model.js']);
    expect(await all('fallback', ['x'])).toEqual(['x', 'node contract.js']);
    rmSync(join(root, CONTRACT));
    expect(await all('fallback')).toEqual(['npm run test', 'npm run lint']);
    expect(await all('fallback', ['x'])).toEqual(['x']);
    expect(await plan({ autoVerifyMode: 'hybrid' })).toEqual(['npm run test', 'npm run lint']);
    expect(await plan({ autoVerifyMode: 'contract' })).toEqual([]);
  });

  it('CFG-11 knows other words for the modes', () => {
    expect(['disabled', 'safety', 'LLM ', 'whatever', ''].map(readAutoVerifyMode)).toEqual([
      'off',
      'fallback',
      'llm',
      'hybrid',
      'hybrid',
    ]);
  });

  it('CFG-12 takes the contract from another place', () => {
    putIn(root, 'other.json', JSON.stringify({ commands: ['there'] }));
    expect(readContract([root], 'other.json').commands).toEqual(['there']);
  });

  it('VER-07 at most four, none twice, none that is denied or cannot be run, no unknown make target', async () => {
    putIn(root, 'Makefile', 'known:\n\ttrue\n');
    const commands = ['x', 'a | b', 'sudo make', 'make unknown', 'make known', ' x y', 'x  y', '1', '2', '3'];
    withContract({ commands });
    const task = { commands: ['x'] };
    expect(await plan({ autoVerifyMode: 'contract' }, { task })).toEqual([
      'x',
      'make known',
      'x y',
      '1',
      '2',
    ]);
    expect(await plan({ autoVerifyMode: 'contract', autoVerifyMaxCommands: 1 }, { task })).toEqual([
      'x',
      'make known',
    ]);
  });

  it('VER-07 asks the model again for a plan that cannot be read, and goes on without one', async () => {
    const answers = ['sorry', 'Here: ["node late.js"]'];
    const asked: string[] = [];
    const slow: Decide = async ({ prompt }) => {
      asked.push(prompt);
      return answers.shift() ?? 'no';
    };
    expect(await plan({ autoVerifyMode: 'llm' }, { decide: slow })).toEqual(['node late.js']);
    expect(asked[0]).toContain('- src/a.ts');
    expect(await plan({ autoVerifyMode: 'llm', verifyPlanParseRetries: 1 }, { decide: slow })).toEqual([]);
    expect(asked).toHaveLength(4);
    expect(await plan({ autoVerifyMode: 'llm' }, { decide: async () => undefined })).toEqual([]);
  });

  it('B-17 docser keeps the check scripts of a package manager', async () => {
    withContract({ commands: ['pnpm run check:docs', 'pnpm test'] });
    const task: Partial<TaskFacts> = {
      role: 'docser',
      commands: ['npm run check', 'npm test', 'node check.js'],
    };
    expect(await plan({ autoVerifyMode: 'contract' }, { task })).toEqual([
      'npm run check',
      'pnpm run check:docs',
    ]);
  });

  it('B-17 tester runs nothing that watches, and end-to-end tests on request', async () => {
    withContract({ commands: ['npx playwright test', 'npm test'] });
    const task: Partial<TaskFacts> = { role: 'tester', commands: ['npx vitest --watch'] };
    expect(await plan({ autoVerifyMode: 'contract' }, { task })).toEqual(['npm test']);
    const asked: Partial<TaskFacts> = { role: 'tester', goal: 'add an e2e test' };
    expect(await plan({ autoVerifyMode: 'contract' }, { task: asked })).toEqual([
      'npx playwright test',
      'npm test',
    ]);
  });
});
