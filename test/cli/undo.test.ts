import { describe, expect, it } from 'vitest';
import { loopwright, write } from './support.ts';
import { commitAll, document, git, photographOf, read, repository, runToEnd } from './workspace-support.ts';

interface Done {
  readonly kind: string;
  readonly commit: string;
  readonly undoes?: string;
}
interface Shown {
  readonly delivery: { readonly kind: string; readonly base?: string; readonly commit?: string } | null;
  readonly next: readonly { readonly id: string }[];
}

const shown = (cwd: string, id: string): Promise<Shown> => document<Shown>(['show', id], cwd);

describe('undo', () => {
  it.each([[[]], [['--merge']]])(
    'takes an accept %j back as a new commit; what came after it stays, and accepting again works',
    async (how) => {
      const cwd = repository();
      const { id } = await runToEnd(cwd);
      const accepted = await document<Done>(['accept', id, ...how], cwd);
      write(cwd, { 'other.txt': 'other\n' });
      commitAll(cwd, 'goes on');
      const undone = await loopwright(['undo', id], { cwd });
      expect([undone.code, undone.stderr]).toEqual([0, '']);
      expect(undone.stdout).toMatch(/^Undone: 2 files, \+1 -2, as \w{12} on main\.\nnext: .* accept \w{6}\n/);
      expect([read(cwd, 'a.txt'), read(cwd, 'b.txt'), read(cwd, 'other.txt')]).toEqual([
        'zero\n',
        undefined,
        'other\n',
      ]);
      const body = git(cwd, 'log', '-1', '--format=%B');
      expect(body).toContain(`Undo "change it"\n\nThis reverts commit ${accepted.commit}.`);
      expect(body).toContain(`Loopwright-Undoes: ${id}`);
      expect(await document<Done>(['undo', id], cwd)).toMatchObject({
        kind: 'already-undone',
        undoes: accepted.commit,
      });
      const again = await document<Done>(['accept', id, ...how], cwd);
      expect([again.kind, again.commit === accepted.commit]).toEqual(['accepted', false]);
      expect([read(cwd, 'a.txt'), read(cwd, 'b.txt'), read(cwd, 'other.txt')]).toEqual([
        'one\n',
        'two\n',
        'other\n',
      ]);
      expect(await document<Done>(['accept', id], cwd)).toMatchObject({
        kind: 'already-accepted',
        commit: again.commit,
      });
      expect(git(cwd, 'status', '--porcelain')).toBe('');
    },
  );

  it('accepting again works after gc took the worktree and the branch, and counts as undelivered before', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    await document(['accept', id], cwd);
    await document(['worktrees', 'gc'], cwd);
    await document(['undo', id], cwd);
    expect(git(cwd, 'branch', '--list', 'loopwright/*')).toBe('');
    const kept = await document<{ undelivered: object }>(['clean', '--dry-run'], cwd);
    expect(kept.undelivered).toHaveProperty(id);
    expect(await document<Done>(['accept', id], cwd)).toMatchObject({ kind: 'accepted' });
    expect([read(cwd, 'a.txt'), read(cwd, 'b.txt')]).toEqual(['one\n', 'two\n']);
  });

  it('a revert that a person made counts as one', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const { commit } = await document<Done>(['accept', id], cwd);
    git(cwd, 'revert', '--no-edit', commit);
    expect(await document<Done>(['accept', id], cwd)).toMatchObject({ kind: 'accepted' });
    expect(read(cwd, 'a.txt')).toBe('one\n');
  });

  it('is refused, with nothing changed, where the same places changed since or the checkout is dirty there', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const nothing = await loopwright(['undo', id], { cwd });
    expect([nothing.code, nothing.stderr]).toEqual([
      1,
      expect.stringContaining('Nothing of it is in main, so there is nothing to undo.'),
    ]);
    const { commit } = await document<Done>(['accept', id], cwd);
    write(cwd, { 'a.txt': 'mine\n' });
    const before = photographOf(cwd);
    const dirty = await loopwright(['undo', id], { cwd });
    expect([dirty.code, dirty.stderr]).toEqual([
      1,
      expect.stringContaining('with changes of its own: a.txt'),
    ]);
    expect(photographOf(cwd)).toEqual(before);
    commitAll(cwd, 'mine');
    const conflict = await loopwright(['undo', id], { cwd });
    expect([conflict.code, conflict.stderr]).toEqual([
      1,
      expect.stringMatching(
        /main has changed since in the same places[^]* {2}a\.txt\nnext: Take it out by hand/,
      ),
    ]);
    expect(conflict.stderr).toContain(`git revert ${commit}`);
    expect([read(cwd, 'a.txt'), read(cwd, 'b.txt')]).toEqual(['mine\n', 'two\n']);
  });
});

describe('what became of the files is part of a session', () => {
  it('delivered and undone, with commit and base, in show, sessions and diff', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    expect((await shown(cwd, id)).delivery).toBeNull();
    const { commit } = await document<Done>(['accept', id], cwd);
    const delivery = { kind: 'delivered', base: 'main', commit };
    const view = await shown(cwd, id);
    expect(view.delivery).toMatchObject(delivery);
    expect(view.next.map((each) => each.id)).toEqual(['session.diff', 'session.undo']);
    expect(await document<object[]>(['sessions'], cwd)).toMatchObject([{ id, delivery }]);
    expect(await document(['diff', id], cwd)).toMatchObject({ delivery });
    const short = commit.slice(0, 12);
    expect((await loopwright(['show', id], { cwd })).stdout).toContain(`delivered to main as ${short}`);
    expect((await loopwright(['sessions'], { cwd })).stdout).toMatch(/completed +delivered/);
    const diff = await loopwright(['diff', id, '--stat'], { cwd });
    expect(diff.stdout).toMatch(/delivered to main as \w{12}, .* ago\nnext: .* undo \w{6}\n/);

    const undone = await document<Done>(['undo', id], cwd);
    expect((await shown(cwd, id)).delivery).toMatchObject({
      kind: 'undone',
      base: 'main',
      commit: undone.commit,
    });
  });

  it('kept and discarded', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const { commit } = await document<Done>(['keep', id], cwd);
    expect((await shown(cwd, id)).delivery).toMatchObject({
      kind: 'kept',
      branch: `loopwright/${id}`,
      commit,
    });
    await document(['discard', id, '--yes'], cwd);
    expect((await shown(cwd, id)).delivery).toMatchObject({ kind: 'discarded' });
    expect((await loopwright(['sessions'], { cwd })).stdout).toMatch(/completed +discarded/);
  });

  it('a kill between the delivery and its note is made good by repeating it', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const { commit } = await document<Done>(['accept', id], cwd);
    // As if it had never been noted: the newest epoch of its journal is gone.
    const { rmSync, readdirSync } = await import('node:fs');
    const folder = `${cwd}/.loopwright/sessions/${id}`;
    const newest = readdirSync(folder)
      .filter((name) => name.startsWith('journal.'))
      .sort()
      .at(-1);
    rmSync(`${folder}/${newest}`);
    expect((await shown(cwd, id)).delivery).toBeNull();
    expect(await document<Done>(['accept', id], cwd)).toMatchObject({ kind: 'already-accepted' });
    expect((await shown(cwd, id)).delivery).toMatchObject({ kind: 'delivered', commit });
  });

  it('a fork that nobody has set going is not started, and has not died', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const fork = await document<{ session: string }>(['fork', id, '--at', '1', '--no-run'], cwd);
    const page = await loopwright(['show', fork.session], { cwd });
    expect(page.stdout).toMatch(/status +not started/);
    expect(page.stdout).toContain('set it going');
    expect((await loopwright(['ps'], { cwd })).stdout).not.toContain(fork.session);
    expect((await loopwright(['ps', '--needs-you'], { cwd })).stdout).not.toContain(fork.session);
    expect((await loopwright(['resume', fork.session], { cwd })).code).toBe(0);
    expect((await loopwright(['show', fork.session], { cwd })).stdout).toMatch(/status +completed/);
  });
});
