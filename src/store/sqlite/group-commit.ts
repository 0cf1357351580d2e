import type Libsql from 'libsql';
import type { Rule } from '../rules/say.ts';
import { PreparedRows } from './prepared-rows.ts';

interface Waiting {
  /** Runs the action; gives what to call once it is on the disk. */
  readonly attempt: () => () => void;
  readonly fail: (error: unknown) => void;
}

const AT_ONCE = 32;

/**
 * Transactions that were asked for while another one was written share one commit, for that is what takes time.
 * Invariants:
 * 1. An action is answered only when it is on the disk.
 * 2. An action that fails changes nothing, and nothing of what the others did.
 */
export class GroupCommit {
  readonly rows: PreparedRows;
  readonly #connection: Libsql.Database;
  readonly #begin: Libsql.Statement;
  readonly #commit: Libsql.Statement;
  readonly #mark: Libsql.Statement;
  readonly #keep: Libsql.Statement;
  #waiting: Waiting[] = [];

  constructor(connection: Libsql.Database) {
    this.#connection = connection;
    this.rows = new PreparedRows(connection);
    this.#begin = connection.prepare('begin immediate');
    this.#commit = connection.prepare('commit');
    this.#mark = connection.prepare('savepoint one');
    this.#keep = connection.prepare('release one');
  }

  /** `inTurn` is asked for a turn to flush unless one is under way already. */
  add<T>(rule: () => Rule<T>, inTurn: (flush: () => void) => void): Promise<T> {
    return new Promise<T>((resolve, fail) => {
      const attempt = () => {
        const result = this.rows.perform(rule());
        return () => resolve(result);
      };
      this.#waiting.push({ attempt, fail });
      if (this.#waiting.length === 1) inTurn(() => this.#flush());
    });
  }

  #flush(): void {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, AT_ONCE);
      const answers: (() => void)[] = [];
      try {
        this.#begin.run([]);
        for (const each of group) this.#attempt(each, group.length > 1, answers);
        this.#commit.run([]);
        for (const answer of answers) answer();
      } catch (error) {
        if (this.#connection.inTransaction) this.#connection.exec('rollback');
        for (const { fail } of group) fail(error);
      }
    }
  }

  #attempt({ attempt, fail }: Waiting, isShared: boolean, answers: (() => void)[]): void {
    if (!isShared) {
      answers.push(attempt());
      return;
    }
    this.#mark.run([]);
    try {
      answers.push(attempt());
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      this.#connection.exec('rollback to one');
      answers.push(() => fail(error));
    }
    this.#keep.run([]);
  }
}
