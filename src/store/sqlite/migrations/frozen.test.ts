import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../database.ts';
import { MIGRATIONS } from './migrations.ts';

const digest = (statements: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16);

it('a migration that was released is never changed: the next one is added below', () => {
  expect(MIGRATIONS.map(digest)).toEqual([
    'eb6b74c21293ae79',
    '8e56769d4c44651d',
    '450d22cc1718fede',
    '63aec5a9423a34a1',
    '6259f5497e93b4ed',
    '8a2680331ff06560',
    '175f942b6c506211',
    '01a3358b8c8bf094',
    '853787dada77d22d',
  ]);
});

describe('a database with the number of our version', () => {
  let file: string;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-frozen-'));
    file = join(folder, 'loopwright.db');
    Database.open(file).close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const alter = (...statements: string[]) => {
    const raw = new Libsql(file);
    for (const statement of statements) raw.exec(statement);
    raw.close();
  };

  it('but tables of another build is refused by their names', () => {
    alter('alter table lease add column extra text', 'pragma application_id = 7');
    expect(() => Database.open(file)).toThrow(/made by another build of loopwright: lease differ/);
  });

  it('and the same tables is taken, whatever mark it has', () => {
    alter('pragma application_id = 0');
    expect(() => Database.open(file).close()).not.toThrow();
  });
});
