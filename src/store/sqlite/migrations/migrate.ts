import { createHash } from 'node:crypto';
import Libsql from 'libsql';
import { LoopwrightError } from '../../../kernel/errors.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * Brings a database up to date. Invariants:
 * 1. The version and the tables change in one transaction.
 * 2. What a version's tables are never depends on the build that made them: a mark of all migrations stands in the
 *    file, and where it is another one the tables themselves are compared with what they should be.
 */
export function migrate(file: string, connection: Libsql.Database): void {
  if (versionOf(connection) === MIGRATIONS.length && markOf(connection) === MARK) return;
  connection.exec('begin immediate');
  try {
    const current = versionOf(connection);
    if (current > MIGRATIONS.length) {
      throw new LoopwrightError(`${file} was written by a newer loopwright (version ${current}).`, {
        next: 'Update loopwright, then run the command again. Nothing was changed.',
      });
    }
    for (const statement of MIGRATIONS.slice(current).flat()) connection.exec(statement);
    if (current > 0) refuseOther(file, connection);
    connection.exec(`pragma user_version = ${MIGRATIONS.length}`);
    connection.exec(`pragma application_id = ${MARK}`);
    connection.exec('commit');
  } catch (error) {
    connection.exec('rollback');
    throw error;
  }
}

/** Fits the signed number that a database has room for. */
const MARK = createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest().readUInt32BE(0) >>> 1;

function refuseOther(file: string, connection: Libsql.Database): void {
  const fresh = new Libsql(':memory:');
  try {
    for (const statement of MIGRATIONS.flat()) fresh.exec(statement);
    const [wanted, found] = [tablesOf(fresh), tablesOf(connection)];
    const other = [...new Set([...wanted.keys(), ...found.keys()])].filter(
      (name) => wanted.get(name) !== found.get(name),
    );
    if (other.length === 0) return;
    throw new LoopwrightError(
      `${file} was made by another build of loopwright: ${other.join(', ')} differ from what its version says.`,
      { next: 'Use the build that made it, or move the file away: a new one is made. Nothing was changed.' },
    );
  } finally {
    fresh.close();
  }
}

function tablesOf(connection: Libsql.Database): Map<string, string> {
  const rows = connection
    .prepare("select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'")
    .all([]) as { name: string; sql: string }[];
  return new Map(rows.map(({ name, sql }) => [name, sql.replace(/\s+/g, ' ')]));
}

function versionOf(connection: Libsql.Database): number {
  return numberOf(connection, 'user_version');
}

function markOf(connection: Libsql.Database): number {
  return numberOf(connection, 'application_id');
}

function numberOf(connection: Libsql.Database, name: 'user_version' | 'application_id'): number {
  const [row] = connection.prepare(`pragma ${name}`).all([]) as { [name: string]: number }[];
  return row?.[name] ?? 0;
}
