import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';

interface Story {
  readonly state: string;
  readonly failureCode?: string;
  readonly runs: readonly { readonly outcome?: unknown }[];
}

const CHECK =
  "import { existsSync, readFileSync } from 'node:fs';\nif (existsSync('build/config.js') && readFileSync('build/config.js', 'utf8').includes('broken')) process.exit(1);\n";

/** A task in local-git mode for an agent that writes the files, each time it is asked. */
async function worked(base: object, files: { readonly [path: string]: string }, ...options: string[]) {
  const cwd = repository({ 'check.mjs': CHECK, '.gitignore': '.loopwright\nscript.json\nturns\n', ...base });
  const steps = Object.entries(files).map(([path, content]) => ({ write: { path, content } }));
  const turn = { steps: [...steps, { say: 'done' }] };
  write(cwd, { 'script.json': { turns: [turn, turn, turn, turn, turn, turn, turn] } });
  const env = {
    REPO_MODE: 'local-git',
    LOCAL_REPO_PATH: cwd,
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
    WORKER_AUTO_VERIFY_MODE: 'off',
  };
  const place = { cwd, env };
  const added = await loopwright(
    ['task', 'add', 'set the port', '--json', '--command', 'node check.mjs', ...options],
    place,
  );
  const { id } = JSON.parse(added.stdout) as { id: string };
  await loopwright(['work', '--once'], place);
  const { stdout } = await loopwright(['show', id, '--json'], place);
  const page = await loopwright(['show', id], place);
  const branch = git(cwd, 'branch', '--list', '--format=%(refname:short)', '*task*').split('\n')[0] ?? '';
  return { cwd, branch, story: JSON.parse(stdout) as Story, page: page.stdout };
}

describe('a change that looks like a product', () => {
  it.each([
    ['tracked', { 'build/config.js': 'port = 1\n' }, []],
    ['allowed by its folder', {}, ['--allow', 'build/**']],
    ['allowed by its name', {}, ['--allow', 'build/config.js']],
    ['expected', {}, ['--allow', '**', '--expect', 'build/config.js']],
  ])('is delivered when it is %s', async (_, base, options) => {
    const { cwd, branch, story } = await worked(base, { 'build/config.js': 'port = 2\n' }, ...options);
    expect(story).toMatchObject({ state: 'blocked' });
    expect(JSON.stringify(story)).toContain('awaiting_judge');
    expect(git(cwd, 'show', `${branch}:build/config.js`)).toBe('port = 2');
  });

  it('is no no-op when it was left out: a person is asked, once, with its name', async () => {
    const { cwd, story, page } = await worked({}, { 'dist/config.js': 'port = 2\n' });
    expect(story).toMatchObject({ state: 'blocked', failureCode: 'no_actionable_changes' });
    expect(page).toContain('dist/config.js');
    // One run of the agent, not six.
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
    expect(readFileSync(join(cwd, 'script.json'), 'utf8')).toContain('turns');
    const runs = JSON.stringify(story.runs).match(/"steps":(\d+)/)?.[1];
    expect(Number(runs)).toBeLessThan(8);
  });

  it('is listed as left out beside what is delivered', async () => {
    const { story, page } = await worked({}, { 'src/a.js': 'a\n', 'dist/config.js': 'port = 2\n' });
    expect(JSON.stringify(story)).toContain('awaiting_judge');
    expect(page).toContain('left out as a product: dist/config.js');
  });
});
