import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { all, type Rule, run, sql } from '../rules/say.ts';
import { Database } from './database.ts';

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

  const insert = (name: string) =>
    function* (): Rule<string> {
      yield* run(sql`insert into lane (role, name) values ('worker', ${name})`);
      if (name.startsWith('bad')) throw new Error(`${name} fails after it has written`);
      return name;
    };
  const names = async (): Promise<string[]> => {
    const rows = await database.read(all<{ name: string }>(sql`select name from lane order by name`));
    return rows.map(({ name }) => name);
  };

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
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  it('one alone that fails changes nothing, and the next one works', async () => {
    await expect(database.transact(insert('bad'))).rejects.toThrow('bad fails');
    await database.transact(insert('good'));
    expect(await names()).toEqual(['good']);
  });

  it('two connections of one process take turns', async () => {
    const other = Database.open(database.file);
    await Promise.all(
      ['a', 'b', 'c'].flatMap((name) =>
        [database, other].map((each) => each.transact(insert(`${name}${each === other}`))),
      ),
    );
    other.close();
    expect(await names()).toEqual(['afalse', 'atrue', 'bfalse', 'btrue', 'cfalse', 'ctrue']);
  });
});
