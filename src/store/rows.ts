import type Libsql from 'libsql';

type Value = string | number | null;

/** A piece of SQL that is part of the statement, not a value; always the same at one place in the code. */
export class Fragment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A statement written as a template: what stands in `${}` is bound, never pasted. */
export interface Statement {
  readonly parts: TemplateStringsArray;
  readonly values: readonly (Value | Fragment)[];
}

export function sql(parts: TemplateStringsArray, ...values: readonly (Value | Fragment)[]): Statement {
  return { parts, values };
}

/** The statements of one transaction. */
export interface Rows {
  all<Row>(statement: Statement): Row[];
  /** Gives how many rows were changed. */
  run(statement: Statement): number;
}

interface Prepared {
  readonly prepared: Libsql.Statement;
  readonly columns: readonly string[];
}

/**
 * Prepares each template once, by its place in the code. For what keeps other processes waiting: building a
 * statement, or waiting for a promise between two, takes longer than most statements do.
 */
export class PreparedRows implements Rows {
  readonly #connection: Libsql.Database;
  readonly #prepared = new WeakMap<TemplateStringsArray, Prepared>();

  constructor(connection: Libsql.Database) {
    this.#connection = connection;
  }

  all<Row>(statement: Statement): Row[] {
    const { prepared, columns } = this.#prepare(statement);
    const rows = prepared.all(statement.values.filter(isValue)) as Value[][];
    return rows.map((values) => named(columns, values) as Row);
  }

  run(statement: Statement): number {
    return this.#prepare(statement).prepared.run(statement.values.filter(isValue)).changes;
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
