import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { loopwright } from '../cli/support.ts';
import { document } from '../cli/workspace-support.ts';
import { ModeLab } from './lab.ts';

describe('worktrees of tasks', () => {
  it('gc leaves them alone while the task can continue, and takes them when it has ended', async () => {
    const lab = new ModeLab();
    onTestFinished(() => lab.dispose());
    const store = openStore(join(lab.dir, '.loopwright'));
    onTestFinished(() => store.close());
    const { added } = await store.backlog.add([{ title: 'one' }]);
    const id = added[0] ?? '';
    const tree = await lab.prepare('local-git', lab.claim({ task: { id } }));
    const gc = async () =>
      (await document<{ worktrees: object[] }>(['worktrees', 'gc', '--force'], lab.dir)).worktrees;
    expect(await gc()).toMatchObject([{ id: `task-${id}`, action: 'kept' }]);
    const { stdout } = await loopwright(['worktrees', 'list'], { cwd: lab.dir });
    expect(stdout).not.toContain('No session knows');
    await store.scheduler.cancel(id, 'not needed');
    expect(await gc()).toMatchObject([{ id: `task-${id}`, action: 'removed' }]);
    expect(existsSync(tree.path)).toBe(false);
  });
});
