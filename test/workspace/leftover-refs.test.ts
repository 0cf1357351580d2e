import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';

const workflow = {
  nodes: {
    N: {
      entry_block: 'B',
      blocks: {
        B: {
          worker: 'Internal:Command',
          with: { argv: ['node', '-e', 'require("fs").writeFileSync("new.txt", "x")'] },
          transitions: [],
        },
      },
    },
  },
};

function repository() {
  const cwd = tempFolder();
  write(cwd, { 'w.json': workflow });
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'a@b.c');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  return { cwd, git, refs: () => git('for-each-ref', 'refs/loopwright', 'refs/heads/loopwright') };
}

async function document<Shape>(args: readonly string[], cwd: string): Promise<Shape> {
  return JSON.parse((await loopwright([...args, '--json'], { cwd })).stdout) as Shape;
}

async function run(cwd: string): Promise<string> {
  expect((await loopwright(['run', '-w', 'w.json', 'write it'], { cwd })).code).toBe(0);
  const { sessions } = await document<{ sessions: { id: string }[] }>(['sessions'], cwd);
  return sessions[0]?.id ?? '';
}

interface Collected {
  readonly checkpoints: readonly { readonly session: string; readonly action: string }[];
}

it('nothing of a delivered session is left once its worktree is collected and its folder is gone', async () => {
  const { cwd, refs } = repository();
  const id = await run(cwd);
  expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
  await loopwright(['worktrees', 'gc'], { cwd });
  rmSync(join(cwd, '.loopwright/sessions', id), { recursive: true });
  expect(refs()).not.toBe('');
  const { checkpoints } = await document<Collected>(['worktrees', 'gc'], cwd);
  expect(checkpoints).toMatchObject([{ session: id, action: 'removed' }]);
  expect(refs()).toBe('');
  const owners = join(cwd, '.git/loopwright/owners');
  expect(existsSync(owners) ? readdirSync(owners) : []).toEqual([]);
});

it('checkpoints with work that was delivered nowhere go only by force, and a held session never', async () => {
  const { cwd, git, refs } = repository();
  const id = await run(cwd);
  await loopwright(['worktrees', 'gc', '--force'], { cwd });
  rmSync(join(cwd, '.loopwright/sessions', id), { recursive: true });
  git('update-ref', 'refs/loopwright/from-another-clone/held', 'HEAD');
  const kept = await document<Collected>(['worktrees', 'gc'], cwd);
  expect(kept.checkpoints).toMatchObject([{ session: id, action: 'kept' }]);
  await loopwright(['worktrees', 'gc', '--force'], { cwd });
  expect(refs()).toMatch(/^\S+ commit\trefs\/loopwright\/from-another-clone\/held\n$/);
});
