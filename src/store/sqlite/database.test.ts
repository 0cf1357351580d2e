import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../open.ts';

describe('the file of the database', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-database-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('a damaged one is named with a way out', () => {
    const text = 'this is not a database, and long enough to have a header of its own'.repeat(40);
    writeFileSync(join(folder, 'loopwright.db'), text);
    expect(() => openStore(folder)).toThrow(/loopwright\.db is damaged/);
  });

  it('one of a newer version is left alone', () => {
    const raw = new Libsql(join(folder, 'loopwright.db'));
    raw.exec('pragma user_version = 99');
    raw.close();
    expect(() => openStore(folder)).toThrow('written by a newer loopwright (version 99)');
  });
});
