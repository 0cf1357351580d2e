import { join } from 'node:path';
import Libsql from 'libsql';

/** Reads and writes rows behind the back of the store, for what no port offers. */
export function rowsOf<Row>(
  stateFolder: string,
  statement: string,
  values: readonly (string | number | null)[] = [],
): Row[] {
  const connection = new Libsql(join(stateFolder, 'loopwright.db'));
  try {
    connection.exec('pragma busy_timeout = 15000');
    const prepared = connection.prepare(statement);
    if (prepared.reader) return prepared.all(values) as Row[];
    prepared.run(values);
    return [];
  } finally {
    connection.close();
  }
}
