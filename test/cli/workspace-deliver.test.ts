import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, write } from './support.ts';
import {
  commitAll,
  document,
  flow,
  git,
  photographOf,
  read,
  repository,
  runToEnd,
} from './workspace-support.ts';

interface Accepted {
  readonly kind: string;
  readonly commit: string;
  readonly base: string;
}

describe('accept', () => {
  it('B-10 RUN-10 brings the work as one commit into the branch the session started from', async () => {
    const cwd = repository({
      'w.json': { ...flow(['write', 'a.txt', 'one\n'], ['write', 'b.txt', 'two\n']), gates: ['Main__S2'] },
    });
    const { id } = await runToEnd(cwd);
    const { code, stdout, stderr } = await loopwright(['accept', id], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Accepted: 2 files, \+2 -1, as \w{12} on main\.\nnext: .* worktrees gc/);
    expect([read(cwd, 'a.txt'), read(cwd, 'b.txt'), git(cwd, 'status', '--porcelain')]).toEqual([
      'one\n',
      'two\n',
      '',
    ]);
    expect(git(cwd, 'log', '--format=%an %s', 'main')).toBe('Ann change it\nAnn start');
    const body = git(cwd, 'log', '-1', '--format=%B', 'main');
    expect(body).toMatch(/Checked:\n- Main__S2: `node act.mjs write b.txt "two\\n"` passed on tree \w{12}\n/);
    expect(body).toContain(`Loopwright-Session: ${id}`);
  });

  it('B-10 twice is harmless, even after gc took the worktree', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    const first = await document<Accepted>(['accept', id], cwd);
    const before = photographOf(cwd);
    expect(await document<Accepted>(['accept', id], cwd)).toMatchObject({
      kind: 'already-accepted',
      commit: first.commit,
    });
    const { worktrees } = await document<{ worktrees: object[] }>(['worktrees', 'gc'], cwd);
    expect(worktrees).toMatchObject([{ id, action: 'removed' }]);
    expect([existsSync(worktree), git(cwd, 'branch', '--list', 'loopwright/*')]).toEqual([false, '']);
    expect(await document<Accepted>(['accept', id], cwd)).toMatchObject({
      kind: 'already-accepted',
      commit: first.commit,
    });
    expect(photographOf(cwd)).toEqual(before);
  });

  it('--merge keeps the commits of the branch, --message says what you want', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const { commit } = await document<Accepted>(['accept', id, '--merge', '-m', 'Take it'], cwd);
    expect(git(cwd, 'log', '-1', '--format=%s', 'main')).toBe('Take it');
    expect(git(cwd, 'rev-list', '--parents', '-n', '1', commit).split(' ')).toHaveLength(3);
  });

  it('a base that moved is merged; one that conflicts is refused and everything stays as it was', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    write(cwd, { 'other.txt': 'other\n' });
    commitAll(cwd, 'moved');
    await document(['accept', id], cwd);
    expect([read(cwd, 'b.txt'), read(cwd, 'other.txt')]).toEqual(['two\n', 'other\n']);
    const next = await runToEnd(cwd, { args: ['--base', 'HEAD~1'] });
    write(cwd, { 'a.txt': 'mine\n' });
    commitAll(cwd, 'conflict');
    const before = photographOf(cwd);
    const refused = await loopwright(['accept', next.id, '--into', 'main'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('has changed in the same places'),
    ]);
    expect(refused.stderr).toMatch(/ {2}a\.txt\n[^]*next: Merge main into the session's branch/);
    expect(photographOf(cwd)).toEqual(before);
    expect(read(worktree, 'a.txt')).toBe('one\n');
  });

  it('a session that was not proven is refused without --unproven', async () => {
    const cwd = repository({ 'w.json': flow(['write', 'b.txt', 'half\n'], ['fail']) });
    const { id } = await runToEnd(cwd, { code: 2 });
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is not proven: it is halted\.\nnext: .* accept \w+ --unproven\n/),
    ]);
    const elsewhere = await loopwright(['accept', id, '--into', 'main'], { cwd });
    expect(elsewhere.stderr).toMatch(/\nnext: .* accept \w+ --into main --unproven\n/);
    expect(await document<Accepted>(['accept', id, '--unproven'], cwd)).toMatchObject({
      kind: 'accepted',
      base: 'main',
    });
    expect(read(cwd, 'b.txt')).toBe('half\n');
  });

  it('files that changed after the gate passed are not proven; accepted all the same, the commit says so', async () => {
    const cwd = repository({
      'w.json': { ...flow(['write', 'b.txt', 'two\n']), gates: ['Main__S1'] },
    });
    const { id, worktree } = await runToEnd(cwd);
    write(worktree, { 'b.txt': 'by hand\n' });
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is not proven: Main__S1 passed before the files changed again/),
    ]);
    expect(read(cwd, 'b.txt')).toBeUndefined();
    expect((await loopwright(['accept', id, '--unproven'], { cwd })).code).toBe(0);
    expect(git(cwd, 'log', '-1', '--format=%B')).toMatch(
      /Not proven when it was accepted:\n- Main__S1 passed before the files changed again/,
    );
  });

  it('a hook that refuses is reported with its words, and nothing has moved', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    write(cwd, { '.git/hooks/pre-commit': '#!/bin/sh\necho "no tabs please" >&2\nexit 1\n' });
    chmodSync(join(cwd, '.git/hooks/pre-commit'), 0o755);
    const before = photographOf(cwd);
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no tabs please')]);
    expect(photographOf(cwd)).toEqual(before);
    rmSync(join(cwd, '.git/hooks/pre-commit'));
    expect(await document<Accepted>(['accept', id], cwd)).toMatchObject({ kind: 'accepted' });
  });

  it('the branch it started from gets it, whatever is checked out now', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    git(cwd, 'switch', '-q', '-c', 'side');
    expect(await document<Accepted>(['accept', id], cwd)).toMatchObject({ kind: 'accepted', base: 'main' });
    expect([read(cwd, 'b.txt'), git(cwd, 'show', 'main:b.txt')]).toEqual([undefined, 'two']);
    expect(await document<Accepted>(['accept', id, '--into', 'side'], cwd)).toMatchObject({
      kind: 'accepted',
      base: 'side',
    });
    expect(read(cwd, 'b.txt')).toBe('two\n');
  });

  it('uncommitted changes elsewhere in the checkout stay; in the same files they refuse it', async () => {
    const cwd = repository({ 'other.txt': 'x\n' });
    const { id } = await runToEnd(cwd);
    write(cwd, { 'a.txt': 'mine\n' });
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('with changes of its own: a.txt'),
    ]);
    expect([read(cwd, 'a.txt'), read(cwd, 'b.txt')]).toEqual(['mine\n', undefined]);
    git(cwd, 'checkout', '-q', 'a.txt');
    write(cwd, { 'other.txt': 'changed\n', 'untracked.txt': 'y\n' });
    expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
    expect([read(cwd, 'other.txt'), read(cwd, 'untracked.txt'), read(cwd, 'b.txt')]).toEqual([
      'changed\n',
      'y\n',
      'two\n',
    ]);
  });

  it('a session that started from a tag needs --into; an unknown branch is refused', async () => {
    const cwd = repository();
    git(cwd, 'tag', 'v1');
    const { id } = await runToEnd(cwd, { args: ['--base', 'v1'] });
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--into "<branch>"')]);
    const unknown = await loopwright(['accept', id, '--into', 'nowhere'], { cwd });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('has no branch "nowhere"')]);
    expect((await loopwright(['accept', id, '--into', 'main'], { cwd })).code).toBe(0);
  });

  it('work that is only in checkpoints, because the folder was deleted by hand, is accepted all the same', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    rmSync(worktree, { recursive: true });
    expect(await document<Accepted>(['accept', id], cwd)).toMatchObject({ kind: 'accepted', base: 'main' });
    expect([read(cwd, 'a.txt'), read(cwd, 'b.txt')]).toEqual(['one\n', 'two\n']);
  });

  it('a detached HEAD has no branch to accept into until one is named', async () => {
    const cwd = repository();
    git(cwd, 'checkout', '-q', '--detach');
    const { id } = await runToEnd(cwd);
    const refused = await loopwright(['accept', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has a detached HEAD')]);
    expect(await document<Accepted>(['accept', id, '--into', 'main'], cwd)).toMatchObject({
      kind: 'accepted',
    });
    expect([read(cwd, 'b.txt'), git(cwd, 'show', 'main:b.txt')]).toEqual([undefined, 'two']);
  });

  it('a session that changed nothing has nothing to accept', async () => {
    const cwd = repository({ 'w.json': flow(['write', 'a.txt', 'zero\n']) });
    const { id } = await runToEnd(cwd);
    expect((await loopwright(['accept', id], { cwd })).stdout).toContain('changed nothing');
  });
});

describe('keep and discard', () => {
  it('B-10 RUN-10 keep leaves the work on its branch, committed; twice is harmless, also without the worktree', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    const kept = await document<{ commit: string; change: { files: object[] } }>(
      ['keep', id, '-m', 'Kept'],
      cwd,
    );
    expect(kept.change.files).toHaveLength(2);
    expect(git(cwd, 'log', '-1', '--format=%s', `loopwright/${id}`)).toBe('Kept');
    expect(await document(['keep', id], cwd)).toMatchObject({ commit: kept.commit });
    git(cwd, 'worktree', 'remove', worktree);
    expect(await document(['keep', id], cwd)).toMatchObject({ commit: kept.commit });
    expect(read(cwd, 'b.txt')).toBe(undefined);
    expect(await document<Accepted>(['accept', id], cwd)).toMatchObject({ kind: 'accepted', base: 'main' });
  });

  it('B-10 discard asks; --yes deletes worktree, branch and checkpoints; twice is harmless', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    const asked = await loopwright(['discard', id], { cwd });
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('(2 changed files)')]);
    expect(asked.stderr).toContain('--yes');
    const done = await loopwright(['discard', id, '--yes'], { cwd });
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringMatching(/^Discarded the worktree[^]*next: .* clean \w{6}/),
    ]);
    expect([existsSync(worktree), git(cwd, 'for-each-ref', '--format=%(refname)')]).toEqual([
      false,
      'refs/heads/main',
    ]);
    const again = await loopwright(['discard', id], { cwd });
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('discarded already')]);
    const nothing = await loopwright(['accept', id], { cwd });
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('Neither the worktree')]);
    expect(git(cwd, 'fsck', '--connectivity-only')).not.toContain('missing');
  });

  it('discard ends a session that could still continue, and one whose folder was deleted by hand', async () => {
    const cwd = repository({ 'w.json': flow(['write', 'b.txt', 'x\n'], ['fail']) });
    const { id, worktree } = await runToEnd(cwd, { code: 2, args: ['--plan', 'b.txt'] });
    rmSync(worktree, { recursive: true });
    await document(['discard', id, '--yes'], cwd);
    expect(await document<object>(['show', id], cwd)).toMatchObject({ status: 'aborted' });
    expect(await document(['conflicts'], cwd)).toEqual({ sessions: [], conflicts: [] });
    expect((await document<{ worktrees: object[] }>(['worktrees'], cwd)).worktrees).toEqual([]);
    expect((await loopwright(['clean', id, '--yes'], { cwd })).code).toBe(0);
  });

  it('teardown runs before the worktree goes; a failure is reported and stops nothing', async () => {
    const cwd = repository();
    write(cwd, {
      '.loopwright/config.json': {
        worktrees: {
          teardown: [
            ['node', '-e', 'console.log(require("fs").readFileSync("b.txt", "utf8")); process.exit(5)'],
          ],
        },
      },
    });
    const { id, worktree } = await runToEnd(cwd);
    const { problems } = await document<{ problems: string[] }>(['discard', id, '--yes'], cwd);
    expect(problems).toEqual([expect.stringContaining('ended with exit code 5')]);
    expect(read(cwd, `.loopwright/logs/${id}/teardown-1.log`)).toContain('two');
    expect(existsSync(worktree)).toBe(false);
  });
});
