import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder, write } from '../cli/support.ts';
import { commitAll, git, identify } from '../cli/workspace-support.ts';

const CHEATER = fileURLToPath(new URL('cheater.mjs', import.meta.url));

const SUM = 'export const sum = (a, b) => a - b;\nexport const twice = (a) => a * 2;\n';
export const FIXED = SUM.replace('a - b', 'a + b');
const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum, twice } from '../src/sum.mjs';

test('adds', () => {
  assert.equal(sum(2, 2), 4);
});
test('adds nothing', () => {
  assert.equal(sum(3, 0), 3);
});
test('doubles', () => {
  assert.equal(twice(4), 8);
});
`;

/** How one agent cheats: the body of a function that gets the tools of the cheater. */
export interface Cheat {
  readonly name: string;
  readonly act: string;
  /** Files that the project has beside the usual ones. */
  readonly files?: { readonly [path: string]: unknown };
  /** How it is checked; by `node` itself where the cheat is not about the package: npm takes as long again. */
  readonly command?: string;
  /** Where it is tried; everywhere when left out. */
  readonly only?: 'run' | 'task';
  /** What a task says instead, where a rule for paths comes first. */
  readonly inTask?: RegExp;
  /** What accept says, where that is something else. */
  readonly refused?: RegExp;
  /** What is printed must say this. */
  readonly says: RegExp;
}

export const CHECKED_BY = 'node --test test/';

/** A small project with one red test, and an agent that is to make it green. */
export function cheatedProject({
  act,
  files = {},
  command = CHECKED_BY,
}: Pick<Cheat, 'act' | 'files' | 'command'>): string {
  const cwd = tempFolder();
  git(cwd, 'init', '-q', '-b', 'main');
  identify(cwd);
  const script = join(cwd, '.loopwright', 'act.mjs');
  write(cwd, {
    'package.json': { private: true, type: 'module', scripts: { test: 'node --test test/' } },
    'src/sum.mjs': SUM,
    'test/sum.test.mjs': TEST,
    '.gitignore': '.loopwright/\nnode_modules/\n',
    ...files,
  });
  commitAll(cwd, 'start');
  write(cwd, {
    '.loopwright/act.mjs': `export default async ({ prompt, write, edit, remove, git, daemon }) => {\n${act}\n};\n`,
    '.loopwright/adapters/cheat.json': {
      metadata: { displayName: 'A cheat' },
      binary: { command: process.execPath },
      modes: {
        headless: {
          args: [CHEATER, script],
          promptPosition: 'last',
          endOfOptions: true,
          closeStdin: true,
          settings: { permissions: { edits: { args: [] }, read: { args: [] } } },
        },
      },
    },
    '.loopwright/config.json': {
      workers: { Coder: { agent: 'cheat', permissions: 'edits' } },
      commands: { test: command },
    },
  });
  return cwd;
}
