import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright } from '../cli/support.ts';
import { git } from '../cli/workspace-support.ts';
import { CHEATS } from './cheats.ts';
import { cheatedProject, FIXED } from './project.ts';

const ENV = { REPO_MODE: 'local-git', LLM_EXECUTOR: 'cheat', WORKER_VERIFY_RECOVERY_ATTEMPTS: '1' };

interface Shown {
  readonly state: string;
  readonly blockReason?: string;
}

async function workedOff(
  cwd: string,
  env: Readonly<Record<string, string>> = ENV,
): Promise<{ id: string; task: Shown; printed: string }> {
  const place = { cwd, env };
  const added = await loopwright(
    ['task', 'add', 'make sum add its numbers', '--command', 'npm test', '--json'],
    place,
  );
  const { id } = JSON.parse(added.stdout) as { id: string };
  await loopwright(['work', '--once'], place);
  const { stdout } = await loopwright(['show', id, '--json'], place);
  const shown = await loopwright(['show', id], place);
  return { id, task: JSON.parse(stdout) as Shown, printed: shown.stdout };
}

describe('an agent that cheats on a task', () => {
  it.each(CHEATS)('$name: blocked, and never done', async ({ act, files, says, inTask = says }) => {
    const cwd = cheatedProject({ act, ...(files ? { files } : {}) });
    const { id, task, printed } = await workedOff(cwd);
    expect([task.state, printed]).toEqual(['blocked', expect.stringMatching(inTask)]);
    const before = git(cwd, 'rev-parse', 'main');
    const judged = await loopwright(['judge', id, 'approve'], { cwd, env: ENV });
    expect([judged.code, git(cwd, 'rev-parse', 'main')]).toEqual([1, before]);
  });

  it('one that works honestly waits for a verdict without a mark, and is approved', async () => {
    const act = `write('src/sum.mjs', ${JSON.stringify(FIXED)});`;
    const cwd = cheatedProject({ act });
    const { id, task, printed } = await workedOff(cwd);
    expect(task).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
    expect(printed).not.toContain('suspicious');
    const judged = await loopwright(['judge', id, 'approve'], { cwd, env: ENV });
    expect([judged.code, judged.stderr]).toEqual([0, '']);
  });
});

describe('an agent that cheats on a task in the very folder, where there is no git', () => {
  const ENV_DIRECT = { ...ENV, REPO_MODE: 'direct' };
  const plainProject = (cheat: Parameters<typeof cheatedProject>[0]) => {
    const cwd = cheatedProject(cheat);
    rmSync(join(cwd, '.git'), { recursive: true });
    return cwd;
  };

  // The rules for paths are the same in every mode: here are those that only the trees show.
  const ONES = ['replaces the', 'weakens', 'skips', 'rewrites', 'makes the tests find less'];
  const chosen = CHEATS.filter(({ name }) => ONES.some((words) => name.startsWith(words)));

  it.each(chosen)('$name: needs rework, and never done', async ({ act, files, says, always }) => {
    const cwd = plainProject({ act, ...(files ? { files } : {}) });
    const env = { ...ENV_DIRECT, ...(always ? { WORKER_VERIFY_OLD_TESTS: 'always' } : {}) };
    const { task, printed } = await workedOff(cwd, env);
    expect(task).toMatchObject({
      state: 'blocked',
      blockReason: 'needs_rework',
      failureCode: 'suspicious_change',
    });
    expect(printed).toMatch(always ?? says);
  });

  it('one that works honestly is done', async () => {
    const cwd = plainProject({ act: `write('src/sum.mjs', ${JSON.stringify(FIXED)});` });
    const { task, printed } = await workedOff(cwd, ENV_DIRECT);
    expect([task.state, printed]).toEqual(['done', expect.not.stringContaining('suspicious')]);
  });
});
