import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';

const PLAN = { commands: ['node check.mjs', 'node check.mjs; rm -rf x', 'sudo true'] };

/** A project that names no command itself; its agent writes `text`, and plans checks when asked to. */
function project(text: string, mode?: string) {
  const cwd = tempFolder();
  write(cwd, {
    'check.mjs': `import { readFileSync } from 'node:fs';\nif (readFileSync('a.js', 'utf8') !== 'good') process.exit(1);\n`,
    'script.json': {
      turns: [
        { when: 'Which commands show', steps: [{ say: JSON.stringify(PLAN) }] },
        { when: 'Verification failed', steps: [{ write: { path: 'a.js', content: 'good' } }] },
        { steps: [{ write: { path: 'a.js', content: text } }, { say: 'done' }] },
      ],
    },
  });
  const env = {
    REPO_MODE: 'direct',
    LOCAL_REPO_PATH: cwd,
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
    ...(mode === undefined ? {} : { WORKER_AUTO_VERIFY_MODE: mode }),
  };
  return { cwd, env };
}

async function worked(place: ReturnType<typeof project>, ...more: string[]) {
  const added = await loopwright(['task', 'add', 'write it', '--json', ...more], place);
  const { id } = JSON.parse(added.stdout) as { id: string };
  const { stdout } = await loopwright(['work', '--once'], place);
  const { stdout: story } = await loopwright(['show', id], place);
  return { stdout, story };
}

describe('a model that plans the checks', () => {
  it.each([
    ['llm', 'llm'],
    ['hybrid, the usual, where nobody names a command', undefined],
  ])(
    'VER-07 CFG-11 %s: its commands are run and recorded, those it may not propose are refused',
    async (_, mode) => {
      const { stdout, story } = await worked(project('bad', mode));
      expect(stdout).toMatch(
        /Verify ASK_PLAN[^]*AskPlan SUCCESS[^]*Verify FAILURE[^]*Fix SUCCESS[^]*Verify SUCCESS[^]*done/,
      );
      expect(story).not.toContain('unverified');
      expect(story).toMatch(/passed: node check\.mjs \(.*, proposed by a model/);
      expect(story).toContain('a model proposed `sudo true`, which is not run');
      expect(story).toContain('a model proposed `node check.mjs; rm -rf x`, which is not run');
    },
  );

  it('CFG-12 VER-08 the contract in .loopwright is found without a setting; with one, only that file counts', async () => {
    const place = project('good');
    write(place.cwd, { '.loopwright/verify.contract.json': { commands: ['node check.mjs'] } });
    expect((await worked(place)).story).toContain('passed: node check.mjs');
    const env = {
      ...place.env,
      WORKER_VERIFY_CONTRACT_PATH: 'elsewhere.json',
      WORKER_AUTO_VERIFY_MODE: 'contract',
    };
    write(place.cwd, { 'a.js': 'other' });
    expect((await worked({ ...place, env })).story).toContain('done, unverified');
  });

  it.each([
    ['hybrid with a command of the task', undefined, ['--command', 'node check.mjs']],
    ['contract', 'contract', []],
  ])('VER-07 %s: no model is asked', async (_, mode, more) => {
    const { stdout } = await worked(project('good', mode), ...more);
    expect(stdout).toContain('Verify SUCCESS');
    expect(stdout).not.toContain('AskPlan');
  });
});
