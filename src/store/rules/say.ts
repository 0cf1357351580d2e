export type Value = string | number | null;

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

export interface Said {
  readonly statement: Statement;
  /** Rows are wanted; otherwise how many were changed. */
  readonly rows: boolean;
}

/**
 * What one transaction reads and writes, said statement by statement. Whoever drives it decides whether to wait in
 * between: the embedded database does not, one behind a network must. So a rule is written once for both.
 */
export type Rule<T> = Generator<Said, T, unknown>;

export function* all<Row>(statement: Statement): Rule<Row[]> {
  return (yield { statement, rows: true }) as Row[];
}

/** Gives how many rows were changed. */
export function* run(statement: Statement): Rule<number> {
  return (yield { statement, rows: false }) as number;
}
