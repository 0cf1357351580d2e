import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { configPath } from '../../config/config-file.ts';
import { ConflictError, errorCode, UsageError } from '../../kernel/errors.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { excludeFromGit } from '../../workspace/git/exclude.ts';
import { GitNotStartedError } from '../../workspace/git/git-error.ts';
import { packageRoot } from '../package-root.ts';

const KEPT = 'loopwright-demo';

export const GOAL = 'make slugify pass its tests';

const FILES = {
  'package.json': `${JSON.stringify({ name: 'demo', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'slugify.mjs': 'export function slugify(text) {\n  return text;\n}\n',
  'slugify.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugify } from './slugify.mjs';

test('joins words with dashes', () => {
  assert.equal(slugify('Hello World'), 'hello-world');
});

test('takes accents off', () => {
  assert.equal(slugify('Crème Brûlée!'), 'creme-brulee');
});
`,
};

/** A small git repository whose test fails. */
export async function makeDemoProject(options: {
  keep: boolean;
  cwd: string;
  /** An agent that never gets it right, instead of one whose first attempt is wrong. */
  stubborn: boolean;
}): Promise<string> {
  const dir = options.keep
    ? await keptFolder(options.cwd)
    : await realpath(await mkdtemp(join(tmpdir(), 'loopwright-demo-')));
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(dir, name), content);
  await git(dir, ['init', '--quiet', '--template=']);
  const script = options.stubborn ? 'stubborn.json' : 'slugify.json';
  await configure(dir, join(packageRoot(), 'workflows', 'demo', script));
  await git(dir, ['add', '.']);
  await git(dir, [...IDENTITY, 'commit', '--quiet', '--no-verify', '-m', 'A slugify that does not work yet']);
  return dir;
}

export async function demoDiff(dir: string, options: { color: boolean }): Promise<string> {
  return git(dir, ['diff', `--color=${options.color ? 'always' : 'never'}`]);
}

/** Works on a machine where git was never configured, and leaves no signing or hooks of the user in the way. */
const IDENTITY = [
  '-c',
  'user.name=loopwright demo',
  '-c',
  'user.email=demo@localhost',
  '-c',
  'commit.gpgsign=false',
];

async function git(cwd: string, args: readonly string[]): Promise<string> {
  try {
    const { code, stdout, stderr } = await new BoundGit(cwd).try(args);
    if (code === 0) return stdout;
    throw new UsageError(`git could not make the demo project: ${stderr.trim()}`, {
      next: 'Try `git init` in an empty folder to see what git has against it.',
    });
  } catch (error) {
    if (!(error instanceof GitNotStartedError)) throw error;
    throw new UsageError('git is not installed, and the demo makes a small repository.', {
      next: 'Install git, then run the demo again.',
      cause: error,
    });
  }
}

/** Before the first commit, so that our own folder is not in it. */
async function configure(dir: string, script: string): Promise<void> {
  await excludeFromGit(dir);
  const coder = { agent: 'scripted', extraArgs: ['--script', script], conversation: 'fresh' };
  const config = { commands: { test: [process.execPath, '--test'] }, workers: { Coder: coder } };
  await mkdir(dirname(configPath(dir)), { mode: 0o700 });
  await writeFile(configPath(dir), `${JSON.stringify(config, null, 2)}\n`);
}

async function keptFolder(cwd: string): Promise<string> {
  const dir = resolve(cwd, KEPT);
  try {
    await mkdir(dir);
    return dir;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new ConflictError(`${dir} exists already.`, {
      next: 'Remove it, or let the demo use a temporary folder.',
    });
  }
}
