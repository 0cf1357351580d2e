import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from './database.ts';
import { sql } from './rows.ts';

describe('transactions that wait for each other', () => {
  let folder: string;
  let database: Database;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-group-'));
    database = Database.open(join(folder, 'loopwright.db'));
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const insert = (name: string) => (rows: Parameters<Parameters<Database['transact']>[0]>[0]) => {
    rows.run(sql`insert into lane (role, name) values ('worker', ${name})`);
    if (name.startsWith('bad')) throw new Error(`${name} fails after it has written`);
    return name;
  };
  const names = (): string[] =>
    database.rows.all<{ name: string }>(sql`select name from lane order by name`).map(({ name }) => name);

  it('one that fails changes nothing, and nothing of what the others did', async () => {
    const all = ['a', 'bad 1', 'b', 'a', 'c'].map((name) => database.transact(insert(name)));
    const ended = await Promise.allSettled(all);
    expect(ended.map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason)))).toEqual([
      'a',
      'Error: bad 1 fails after it has written',
      'b',
      expect.stringContaining('UNIQUE constraint failed'),
      'c',
    ]);
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  it('one alone that fails changes nothing, and the next one works', async () => {
    await expect(database.transact(insert('bad'))).rejects.toThrow('bad fails');
    await database.transact(insert('good'));
    expect(names()).toEqual(['good']);
  });

  it('what is written with pauses in between and what is not wait for each other', async () => {
    const other = Database.open(database.file);
    const slow = other.write(async (query) => {
      await query.insertInto('lane').values({ role: 'tester', name: 'slow' }).execute();
      await new Promise((resolve) => setImmediate(resolve));
      return query.selectFrom('lane').select('name').execute();
    });
    const quick = database.transact(insert('quick'));
    await expect(slow).resolves.toEqual([{ name: 'slow' }]);
    await quick;
    other.close();
    expect(names()).toEqual(['quick', 'slow']);
  });
});
