import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { rowsOf } from '../tasks/rows.ts';
import { loopwright, tempFolder, write } from './support.ts';
import { document, repository, runToEnd } from './workspace-support.ts';

interface Cleaned {
  readonly deleted: boolean;
  readonly disk?: readonly { readonly what: string; readonly count: number; readonly bytes?: number }[];
  readonly databaseFreed?: number;
}

/** A project with a session that clean may take: nothing of it is wanted. */
async function withEndedSession(): Promise<string> {
  const cwd = repository();
  const { id } = await runToEnd(cwd);
  await document(['discard', id, '--yes'], cwd);
  return cwd;
}

/** A database with many pages that hold nothing any more, as removed tasks leave it. */
async function leaveFreePages(cwd: string): Promise<string> {
  const long = randomBytes(300_000).toString('hex');
  write(cwd, { 'many.json': [1, 2, 3, 4].map((n) => ({ title: `task ${n}`, goal: `${n} ${long}` })) });
  const { added } = await document<{ added: string[] }>(['task', 'import', 'many.json'], cwd);
  for (const id of added) expect((await loopwright(['task', 'rm', id], { cwd })).code).toBe(0);
  return join(cwd, '.loopwright/loopwright.db');
}

test('clean --dry-run shows what takes the disk, and changes nothing', async () => {
  const cwd = repository();
  const { id } = await runToEnd(cwd);
  write(cwd, { [`.loopwright/logs/${id}/check.log`]: 'x'.repeat(50_000) });
  const { deleted, disk } = await document<Cleaned>(['clean', '--dry-run'], cwd);
  expect(deleted).toBe(false);
  expect(disk?.map(({ what, count }) => [what, count])).toEqual([
    ['sessions', 1],
    ['logs', 1],
    ['checkpoints', expect.any(Number)],
    ['worktrees', 1],
    ['database', 1],
  ]);
  const of = (what: string) => disk?.find((each) => each.what === what);
  expect(of('logs')?.bytes).toBeGreaterThanOrEqual(50_000);
  expect(of('checkpoints')?.count).toBeGreaterThan(1);
  expect(of('checkpoints')).not.toHaveProperty('bytes');
  for (const what of ['sessions', 'worktrees', 'database']) expect(of(what)?.bytes).toBeGreaterThan(0);

  const { stdout } = await loopwright(['clean', '--dry-run'], { cwd });
  expect(stdout).toMatch(
    /^kept +count +disk\nsessions +1 +.*B\nlogs +1 +5\d\.\d kB\ncheckpoints +\d+ +in the/,
  );
  expect(await document<object[]>(['sessions'], cwd)).toHaveLength(1);
});

test('a folder without git has no checkpoints and no worktrees to show', async () => {
  const { disk } = await document<Cleaned>(['clean', '--dry-run'], tempFolder());
  expect(disk).toEqual([
    { what: 'sessions', count: 0, bytes: 0 },
    { what: 'logs', count: 0, bytes: 0 },
    { what: 'database', count: 0, bytes: 0 },
  ]);
});

test('after a deletion the database gives its free pages back', async () => {
  const cwd = await withEndedSession();
  const file = await leaveFreePages(cwd);
  const before = statSync(file).size;
  const { deleted, databaseFreed = 0 } = await document<Cleaned>(['clean', '--yes'], cwd);
  expect(deleted).toBe(true);
  expect(databaseFreed).toBeGreaterThan(1_000_000);
  expect(statSync(file).size).toBeLessThan(before - 1_000_000);
  expect(await document<object[]>(['task', 'list'], cwd)).toEqual([]);
});

test('the database is left as it is while a task runs', async () => {
  const cwd = await withEndedSession();
  const file = await leaveFreePages(cwd);
  const { id } = await document<{ id: string }>(['task', 'add', 'at work'], cwd);
  rowsOf(join(cwd, '.loopwright'), "update task set state = 'running' where id = ?", [id]);
  const before = statSync(file).size;
  expect(await document<Cleaned>(['clean', '--yes'], cwd)).toMatchObject({ deleted: true, databaseFreed: 0 });
  expect(statSync(file).size).toBe(before);
});

test('clean with a damaged database names the damage and what to do, and deletes nothing', async () => {
  const cwd = repository();
  const { id } = await runToEnd(cwd);
  write(cwd, { '.loopwright/loopwright.db': 'this is no database'.repeat(500) });
  for (const how of ['--dry-run', '--yes']) {
    const { code, stderr } = await loopwright(['clean', how], { cwd });
    expect([how, code]).toEqual([how, 1]);
    expect(stderr).toMatch(/loopwright\.db is damaged: .*\n.*Move it aside \(mv /);
  }
  expect((await loopwright(['sessions'], { cwd })).stdout).toContain(shortId(id));
});
