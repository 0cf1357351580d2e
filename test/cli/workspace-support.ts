import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { userSide } from '../../src/workspace/worktrees/testing.ts';
import { type Ended, loopwright, tempFolder, wholeId, write } from './support.ts';

/** What a step does: `write <path> <text>`, `wait <folder> <name>` until `<name>.go` is there, `fail`. */
const ACT = `
import { existsSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const [verb, place, text] = process.argv.slice(2);
if (verb === 'fail') process.exit(1);
if (verb === 'write') {
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}
if (verb === 'wait') {
  const look = () => {
    if (existsSync(join(place, text + '.go'))) process.exit(0);
  };
  watch(place, look);
  writeFileSync(join(place, text + '.started'), String(process.pid));
  look();
}
`;

/** A block per list of words, one after the other; a failure halts. */
export function flow(...steps: readonly (readonly string[])[]): object {
  const blocks = Object.fromEntries(
    steps.map((words, i) => [
      `S${i + 1}`,
      {
        worker: 'Internal:Command',
        with: { argv: ['node', 'act.mjs', ...words] },
        transitions: [
          { on_signal: 'SIGNAL:SUCCESS', action: i + 1 < steps.length ? `JUMP:S${i + 2}` : 'RETURN' },
          { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
        ],
      },
    ]),
  );
  return { nodes: { Main: { entry_block: 'S1', blocks } } };
}

export const WRITES = flow(['write', 'a.txt', 'one\n'], ['write', 'b.txt', 'two\n']);

export function git(cwd: string, ...args: readonly string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A repository with one commit on `main`; the next one with the same files is a copy. */
export function repository(files: { readonly [path: string]: unknown } = {}): string {
  const cwd = tempFolder();
  const key = JSON.stringify(files);
  const template = TEMPLATES.get(key);
  if (template !== undefined) {
    cpSync(template, cwd, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    git(cwd, 'update-index', '-q', '--refresh');
    return cwd;
  }
  git(cwd, 'init', '-q', '-b', 'main');
  identify(cwd);
  write(cwd, { 'act.mjs': ACT, 'w.json': WRITES, 'a.txt': 'zero\n', ...files });
  commitAll(cwd, 'start');
  const kept = mkdtempSync(join(tmpdir(), 'loopwright-template-'));
  cpSync(cwd, kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  TEMPLATES.set(key, kept);
  return cwd;
}

const TEMPLATES = new Map<string, string>();
afterAll(() => {
  for (const folder of TEMPLATES.values()) rmSync(folder, { recursive: true });
});

export function identify(cwd: string): void {
  git(cwd, 'config', 'user.name', 'Ann');
  git(cwd, 'config', 'user.email', 'ann@example.com');
}

export function commitAll(cwd: string, message: string): void {
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-q', '-m', message);
}

export const sessionIn = (stdout: string): string =>
  wholeId(/session (\w{6})/i.exec(stdout)?.[1] ?? expect.fail(`no session in:\n${stdout}`));

/** Runs a workflow to its end and gives the session. */
export async function runToEnd(
  cwd: string,
  options: {
    readonly args?: readonly string[];
    readonly code?: number;
    readonly env?: NodeJS.ProcessEnv;
  } = {},
): Promise<{ id: string; worktree: string; ended: Ended }> {
  const { args = [], code = 0, env } = options;
  const ended = await loopwright(['run', 'change it', '-w', 'w.json', ...args], {
    cwd,
    ...(env ? { env } : {}),
  });
  expect([ended.code, ended.stderr]).toEqual([code, '']);
  const id = sessionIn(ended.stdout);
  return { id, worktree: join(cwd, '.loopwright/worktrees', id), ended };
}

/** Runs a command that must succeed and gives its JSON document; of one that is only a list, the list. */
export async function document<T>(args: readonly string[], cwd: string): Promise<T> {
  const { code, stdout, stderr } = await loopwright([...args, '--json'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  const { apiVersion, ...rest } = JSON.parse(stdout) as { readonly apiVersion: number };
  expect(apiVersion).toBe(1);
  const [only, ...more] = Object.values(rest);
  return (Array.isArray(only) && more.length === 0 ? only : rest) as T;
}

/** Everything of the person's: files, index, stash, branches, HEAD, hooks, configuration. */
export function photographOf(cwd: string): Map<string, string> {
  const seen = userSide(cwd);
  for (const path of seen.keys()) if (path.startsWith('.git/refs/loopwright/')) seen.delete(path);
  return seen;
}

export const read = (folder: string, path: string): string | undefined =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined;
