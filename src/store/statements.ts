import type Libsql from 'libsql';

const KEPT = 256;

/**
 * A connection that prepares each statement once. Preparing costs more than running most of them, and what runs
 * inside a writing transaction keeps every other process waiting.
 */
export function withStatements(connection: Libsql.Database): {
  prepare(sql: string): Libsql.Statement;
  close(): void;
} {
  const kept = new Map<string, Libsql.Statement>();
  return {
    prepare(sql) {
      const known = kept.get(sql);
      if (known) return known;
      const statement = connection.prepare(sql);
      const [oldest] = kept.keys();
      if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(sql, statement);
      return statement;
    },
    close: () => connection.close(),
  };
}
