import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { RuntimeRow } from '../../src/backlog/runtimes.ts';
import { loopwright, start, tempFolder, write } from '../cli/support.ts';
import { document, repository } from '../cli/workspace-support.ts';

it('two runtimes are listed with what they do; one that was killed is dead, one that was stopped is gone', async () => {
  const cwd = repository();
  const desk = tempFolder();
  write(desk, { 'script.json': { steps: [{ say: 'thinking' }, { hang: {} }] } });
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(desk, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(desk, 'locks'),
    REPO_MODE: 'local-git',
    LOCAL_REPO_PATH: cwd,
  };
  const list = () => document<RuntimeRow[]>(['runtimes'], cwd);
  const shown = async () =>
    Object.fromEntries(
      (await list()).map(({ name, state, tasks, dead }) => [name, [dead ? 'dead' : state, tasks]]),
    );
  expect(await list()).toEqual([]);
  const { id } = await document<{ id: string }>(['task', 'add', 'slow', '--allow', 'a.txt'], cwd);
  const ann = start(['work', '--json'], { cwd, env: { ...env, AGENT_ID: 'ann' } });
  await ann.saw('thinking');
  const bob = start(['work', '--role', 'tester'], { cwd, env: { ...env, AGENT_ID: 'bob' } });
  await bob.saw('idle');
  expect(await shown()).toEqual({ ann: ['busy', [id]], bob: ['idle', []] });
  const { stdout } = await loopwright(['runtimes'], { cwd });
  expect(stdout).toMatch(new RegExp(`ann +worker +busy +${id.slice(-6)} +${ann.child.pid}@`));
  expect(stdout).toMatch(/bob +tester +idle +- /);
  ann.child.kill('SIGKILL');
  await ann.ended;
  bob.child.kill('SIGTERM');
  await bob.ended;
  await vi.waitFor(async () => expect(await shown()).toEqual({ ann: ['dead', [id]] }), { timeout: 60_000 });
  // Whoever takes its task over ends what it left running.
  write(desk, { 'script.json': { steps: [{ say: 'nothing to do' }] } });
  expect((await loopwright(['work', '--once'], { cwd, env: { ...env, AGENT_ID: 'cat' } })).code).toBe(0);
  expect(await shown()).toEqual({ ann: ['dead', []] });
}, 300_000);
