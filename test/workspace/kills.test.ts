import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { refusedOf } from '../../src/workspace/delivery/testing.ts';
import { KillLab } from './kill-lab.ts';
import { EVERY } from './looking.mjs';

const STEP_1 = { '.gitignore': '*.log\n', 'a.txt': 'step 1\n', 'new/c.txt': 'step 1\n' };
const HALF = { ...STEP_1, 'a.txt': 'half of step 2\n', 'half.txt': 'half of step 2\n' };

let lab: KillLab;
let template: string | undefined;
beforeEach(() => fresh());
afterEach(() => lab.dispose());
afterAll(() => {
  if (template !== undefined) rmSync(template, { recursive: true });
});

/** Made once and then put back where it was: worktrees know their own paths. */
async function fresh(): Promise<void> {
  if (template === undefined) {
    lab = new KillLab();
    lab.git('branch', '-q', 'side');
    await lab.prepare();
    template = `${lab.base}.template`;
    copy(lab.base, template);
    return;
  }
  putBack(template);
}

function putBack(picture: string): void {
  copy(picture, lab.base);
  for (const folder of [lab.dir, lab.worktree, lab.other]) {
    // Files that were copied are other files to git until it has looked at them.
    if (existsSync(folder)) lab.gitIn(folder, 'status', '--porcelain');
  }
}

function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** What must be true once the operation has been done again after the kill. */
const ends: { readonly [operation: string]: () => void | Promise<void> } = {
  async save() {
    expect((await lab.checkpoints().list()).map(({ step }) => step)).toEqual([0, 1, 2]);
    expect(lab.git('show', 'refs/loopwright/S1/2:half.txt')).toBe('half of step 2\n');
    expect(lab.filesIn(lab.worktree)).toEqual(HALF);
  },
  restore() {
    expect(lab.filesIn(lab.worktree)).toEqual(STEP_1);
    expect(lab.git('show', 'refs/loopwright/S1/aside/1:half.txt')).toBe('half of step 2\n');
  },
  hold() {
    expect(lab.git('show', 'refs/loopwright/S1/held:session/journal.1.jsonl')).toBe('{"t":"created"}\n');
    expect(lab.git('show', 'refs/loopwright/S1/held:files/half.txt')).toBe('half of step 2\n');
    expect(lab.filesIn(lab.worktree)).toEqual(HALF);
  },
  unhold() {
    expect(lab.filesIn(lab.other)).toEqual(HALF);
    expect(lab.filesIn(join(lab.base, 'unheld', 'S1'))).toEqual(lab.filesIn(lab.sessionFolder));
  },
  accept: () => delivered('main', 2),
  merge: () => delivered('main', 3),
  elsewhere() {
    expect(lab.git('show', 'side:half.txt')).toBe('half of step 2\n');
    expect(lab.log('side')).toHaveLength(2);
  },
  keep() {
    expect(lab.git('show', 'session/S1:half.txt')).toBe('half of step 2\n');
    expect(lab.log('session/S1')).toHaveLength(2);
  },
  discard() {
    expect(existsSync(lab.worktree)).toBe(false);
    expect(lab.git('for-each-ref', 'refs/loopwright', 'refs/heads/session')).toBe('');
  },
};

function delivered(base: string, commits: number): void {
  expect(lab.git('rev-list', '--count', base).trim()).toBe(String(commits));
  expect(lab.filesIn(lab.dir)).toEqual({ ...HALF, 'unrelated.txt': 'changed by the user\n' });
  expect(lab.git('status', '--porcelain')).toBe('A  unrelated.txt\n');
}

const touchesTheCheckout = (operation: string) => operation === 'accept' || operation === 'merge';

async function begin(operation: string): Promise<unknown> {
  lab.dispose();
  await fresh();
  if (operation === 'unhold') await lab.again('hold');
  return lab.users();
}

/** After any kill: git is sound, the user's side is as it was, and the same again comes to its end. */
async function goesOn(operation: string, before: unknown, where: string): Promise<void> {
  expect(lab.fsck(), where).toBe('');
  if (!touchesTheCheckout(operation)) expect(lab.users(), where).toEqual(before);
  expect(await lab.again(operation), where).not.toMatchObject({ kind: 'refused' });
  await ends[operation]?.();
  expect(lab.fsck(), where).toBe('');
}

/** A real process, really killed; whether the operation has such a point at all. */
async function survives(operation: string, command: number, when: 'before' | 'after'): Promise<boolean> {
  const before = await begin(operation);
  const where = `${when} command ${command}`;
  const { signal, stderr } = await lab.victim(operation, { command, when, every: EVERY });
  expect(stderr, where).toBe('');
  await goesOn(operation, before, where);
  return signal === 'SIGKILL';
}

/** Goes on from what a kill at every point would leave: the pictures that one run took of its disk. */
async function survivesInPictures(operation: string): Promise<number> {
  const before = await begin(operation);
  const pictures = `${lab.base}.pictures`;
  onTestFinished(() => rmSync(pictures, { recursive: true, force: true }));
  expect((await lab.victim(operation, { pictures, of: lab.base })).stderr).toBe('');
  const names = readdirSync(pictures).sort();
  for (const name of names) {
    putBack(join(pictures, name));
    await goesOn(operation, before, `after command ${Number(name)}`);
  }
  return names.length - 1;
}

describe('kill -9 around every git command', () => {
  // Every point from pictures, one of them with a real kill; LOOPWRIGHT_FAULTS=every really kills at all of them.
  it.each(Object.keys(ends))('%s: the repository is sound and the next call continues', async (operation) => {
    if (!EVERY) {
      const points = await survivesInPictures(operation);
      expect(points).toBeGreaterThan(1);
      expect(await survives(operation, Math.ceil(points / 2), 'after')).toBe(true);
      return;
    }
    expect(await survives(operation, 1, 'before')).toBe(true);
    let points = 0;
    // Up to the first command that the operation does not have: how many there are depends on the clock.
    while (await survives(operation, points + 1, 'after')) points += 1;
    expect(points).toBeGreaterThan(1);
  });
});

describe('kill -9 of git and all that it started, in the middle of its work', () => {
  const deadly = (side: 'clean' | 'smudge', path: string) => {
    lab.git('config', `filter.deadly.${side}`, 'kill -9 0');
    lab.put('.git/info/attributes', `${path} filter=deadly\n`);
  };
  const harmless = () => rmSync(join(lab.dir, '.git/info/attributes'));

  it.each(['save', 'restore', 'hold', 'accept', 'keep'])(
    '%s, while files are read: nothing has happened and the next call goes on',
    async (operation) => {
      const before = lab.users();
      deadly('clean', 'half.txt');
      expect((await lab.victim(operation)).signal).toBe('SIGKILL');
      harmless();
      expect(lab.fsck()).toBe('');
      expect(lab.users()).toEqual(before);
      await lab.again(operation);
      await ends[operation]?.();
    },
  );

  it('restore, while files are written: the half-done work is kept and the next call continues', async () => {
    deadly('smudge', 'a.txt');
    expect((await lab.victim('restore')).signal).toBe('SIGKILL');
    harmless();
    expect(lab.fsck()).toBe('');
    await lab.again('restore');
    await ends['restore']?.();
  });

  it('accept, while the checkout follows: what git left locked is named, then the next call continues', async () => {
    deadly('smudge', 'half.txt');
    expect((await lab.victim('accept')).signal).toBe('SIGKILL');
    harmless();
    expect(lab.fsck()).toBe('');
    expect(lab.log('main')).toEqual(['start']);
    const lock = join(lab.dir, '.git', 'index.lock');
    expect(refusedOf((await lab.again('accept')) as { kind: string })).toMatchObject({
      reason: 'locked',
      next: { label: expect.stringContaining(lock) },
    });
    rmSync(lock);
    expect(await lab.again('accept')).toMatchObject({ kind: 'accepted' });
    await ends['accept']?.();
  });

  it.each(['pre-commit', 'post-commit', 'post-merge'])(
    'accept, in the %s hook: the next call goes on',
    async (name) => {
      lab.hook(name, 'kill -9 0');
      expect((await lab.victim('accept')).signal).toBe('SIGKILL');
      rmSync(join(lab.dir, '.git/hooks', name));
      expect(lab.fsck()).toBe('');
      for (const folder of ['.git', '.git/worktrees/w ö']) {
        rmSync(join(lab.dir, folder, 'index.lock'), { force: true });
      }
      expect(await lab.again('accept')).not.toMatchObject({ kind: 'refused' });
      await ends['accept']?.();
    },
  );
});
