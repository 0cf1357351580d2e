import type Libsql from 'libsql';
import { Fragment, type Rule, type Said, type Statement, type Value } from '../rules/say.ts';

interface Prepared {
  readonly prepared: Libsql.Statement;
  readonly columns: readonly string[];
}

/**
 * Prepares each template once, by its place in the code. For what keeps other processes waiting: building a
 * statement, or waiting for a promise between two, takes longer than most statements do.
 */
export class PreparedRows {
  readonly #connection: Libsql.Database;
  readonly #prepared = new WeakMap<TemplateStringsArray, Prepared>();

  constructor(connection: Libsql.Database) {
    this.#connection = connection;
  }

  /** Runs a rule to its end without a pause: nothing else happens in this process meanwhile. */
  perform<T>(rule: Rule<T>): T {
    for (let step = rule.next(); ; ) {
      if (step.done) return step.value;
      step = rule.next(this.#answer(step.value));
    }
  }

  #answer({ statement, rows }: Said): unknown {
    const { prepared, columns } = this.#prepare(statement);
    const values = statement.values.filter(isValue);
    if (!rows) return prepared.run(values).changes;
    return (prepared.all(values) as Value[][]).map((row) => named(columns, row));
  }

  #prepare({ parts, values }: Statement): Prepared {
    const known = this.#prepared.get(parts);
    if (known) return known;
    const text = parts.map((part, i) => {
      const value = values[i];
      if (i === values.length) return part;
      return part + (value instanceof Fragment ? value.text : '?');
    });
    const prepared = this.#connection.prepare(text.join(''));
    const columns = prepared.reader
      ? prepared
          .raw(true)
          .columns()
          .map(({ name }) => name)
      : [];
    this.#prepared.set(parts, { prepared, columns });
    return { prepared, columns };
  }
}

/** Naming the values here takes less than having the driver make the object. */
function named(columns: readonly string[], values: readonly Value[]): { readonly [column: string]: Value } {
  const row: { [column: string]: Value } = {};
  for (const [i, column] of columns.entries()) row[column] = values[i] ?? null;
  return row;
}

function isValue(value: Value | Fragment): value is Value {
  return !(value instanceof Fragment);
}
