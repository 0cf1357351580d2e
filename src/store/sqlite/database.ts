import { chmodSync, closeSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Libsql from 'libsql';
import { kindOf, notPlain, openPlain } from '../../process/plain-file.ts';
import type { Rule } from '../rules/say.ts';
import { databaseError } from './errors.ts';
import { GroupCommit } from './group-commit.ts';
import { migrate } from './migrations/migrate.ts';

const BUSY_TIMEOUT_MS = 15_000;

/** What the engine keeps beside the file; it gives each the mode of the file itself. */
const BESIDE = ['-wal', '-shm', '-journal'];

/**
 * The engine opens by name: a link would be followed, and a FIFO would never open. So each name is looked at first, and
 * the file is there before it is opened, for us alone.
 */
function keepPrivate(file: string): void {
  for (const name of BESIDE) {
    const stats = lstatSync(`${file}${name}`, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw notPlain(`${file}${name}`, kindOf(stats));
  }
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw notPlain(file, kindOf(stats));
  if (stats === undefined) closeSync(openPlain(file, 'a'));
  else if ((stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) chmodSync(file, 0o600);
}

/** Waiting for the lock stops the whole process, so two connections of one process must never wait for each other. */
const lastWrite = new Map<string, Promise<unknown>>();

/**
 * The embedded database of a project, shared by several processes. Invariants:
 * 1. Every writing transaction takes the write lock at its beginning, so what it read cannot have changed.
 * 2. A committed transaction survives a power cut.
 */
export class Database {
  readonly file: string;
  readonly #connection: Libsql.Database;
  readonly #group: GroupCommit;
  #version: Libsql.Statement | undefined;

  private constructor(file: string, connection: Libsql.Database) {
    this.file = resolve(file);
    this.#connection = connection;
    this.#group = new GroupCommit(connection);
  }

  static open(file: string): Database {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      keepPrivate(file);
      const connection = new Libsql(file);
      for (const setting of [
        `busy_timeout = ${BUSY_TIMEOUT_MS}`,
        'journal_mode = WAL',
        'synchronous = FULL',
        'foreign_keys = ON',
      ]) {
        connection.exec(`pragma ${setting}`);
      }
      migrate(file, connection);
      return new Database(file, connection);
    } catch (error) {
      throw databaseError(file, error);
    }
  }

  /** One writing transaction without a pause in between; several that wait share one commit. */
  async transact<T>(rule: () => Rule<T>): Promise<T> {
    try {
      return await this.#group.add(rule, (flush) => void this.#inTurn(flush));
    } catch (error) {
      throw databaseError(this.file, error);
    }
  }

  /** Reads what is committed. */
  async read<T>(rule: Rule<T>): Promise<T> {
    try {
      return this.#group.rows.perform(rule);
    } catch (error) {
      throw databaseError(this.file, error);
    }
  }

  /** Gives free pages back to the disk; whether there were any. */
  vacuum(): boolean {
    const [row] = this.#connection.prepare('pragma freelist_count').all([]) as { freelist_count: number }[];
    if (!row || row.freelist_count === 0) return false;
    this.#connection.exec('vacuum');
    this.#connection.exec('pragma wal_checkpoint(truncate)');
    return true;
  }

  /** Changes when another process has written, which is cheaper to ask than any query. */
  version(): number {
    this.#version ??= this.#connection.prepare('pragma data_version');
    const [row] = this.#version.all([]) as { data_version: number }[];
    return row?.data_version ?? 0;
  }

  /**
   * The file itself has everything afterwards, unless somebody else is at work in it: statements that were not yet
   * collected would keep the log beside it alive otherwise.
   */
  close(): void {
    try {
      this.#connection.exec('pragma busy_timeout = 0');
      this.#connection.prepare('pragma wal_checkpoint(truncate)').all([]);
    } catch {
      // A full disk, say. What was committed is in the log, and whoever opens the database next reads it there.
    } finally {
      this.#connection.close();
    }
  }

  #inTurn<T>(action: () => T | Promise<T>): Promise<T> {
    const turn = (lastWrite.get(this.file) ?? Promise.resolve()).then(action);
    lastWrite.set(
      this.file,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
