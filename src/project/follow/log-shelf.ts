import { statSync } from 'node:fs';
import { join } from 'node:path';
import { NotFoundError } from '../../kernel/errors.ts';
import { plainFilesIn } from '../../process/plain-file.ts';
import { streamOfLog, taskOfLog } from '../../workers/agent/stream-log.ts';
import { adaptersOf } from '../../workers/services.ts';
import type { OpenProject } from '../open.ts';
import { viewOf } from '../sessions/logs/open-log.ts';
import { LogIndex } from './log-index.ts';

export interface LogEntry {
  readonly name: string;
  readonly task: string;
  readonly step: number;
  readonly bytes: number;
  /** The agent whose stream it holds. */
  readonly agent?: string;
}

export interface LogPage {
  readonly name: string;
  /** Of the whole file. */
  readonly lines: number;
  readonly bytes: number;
  /** The number of the first line of the page, from 0. */
  readonly from: number;
  readonly text: readonly string[];
}

/** words: what an agent said and did; plain: without what is meant for a terminal; raw: as it is in the file. */
export type LogForm = 'words' | 'plain' | 'raw';

export interface LogHits {
  readonly hits: readonly { readonly line: number; readonly text: string }[];
  /** There are more than these. */
  readonly more: boolean;
}

const MOST_OPEN = 30;
const MOST_HITS = 500;
const LONGEST_HIT = 400;
const SEARCHED_AT_ONCE = 2000;

/** The logs of all sessions, as windows: none is ever read whole. */
export class LogShelf {
  readonly #opened: OpenProject;
  /** The longest unused first. */
  readonly #indexes = new Map<string, LogIndex>();

  constructor(opened: OpenProject) {
    this.#opened = opened;
  }

  list(session: string): LogEntry[] {
    const folder = this.#folder(session);
    return plainFilesIn(folder).map((name) => {
      const agent = streamOfLog(name)?.agent;
      return {
        name,
        task: taskOfLog(name),
        step: Number.parseInt(name, 10) || 0,
        bytes: statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
        ...(agent === undefined ? {} : { agent }),
      };
    });
  }

  /** Without a line: its end. */
  page(
    session: string,
    name: string,
    { line, limit, as }: { line?: number; limit: number; as: LogForm },
  ): LogPage {
    const index = this.#index(session, name);
    const from = Math.max(0, Math.min(line ?? index.lines - limit, index.lines));
    const raw = index.page(from, limit);
    return { name, lines: index.lines, bytes: index.bytes, from, text: this.#told(name, raw, as) };
  }

  search(session: string, name: string, wanted: string): LogHits {
    const index = this.#index(session, name);
    const lower = wanted.toLowerCase();
    const hits: { line: number; text: string }[] = [];
    for (let from = 0; from < index.lines; from += SEARCHED_AT_ONCE) {
      for (const [offset, text] of index.page(from, SEARCHED_AT_ONCE).entries()) {
        if (!text.toLowerCase().includes(lower)) continue;
        if (hits.length === MOST_HITS) return { hits, more: true };
        hits.push({ line: from + offset, text: text.slice(0, LONGEST_HIT) });
      }
    }
    return { hits, more: false };
  }

  /** How long a log is now. */
  sizeOf(session: string, name: string): { readonly lines: number; readonly bytes: number } {
    const { lines, bytes } = this.#index(session, name);
    return { lines, bytes };
  }

  #told(name: string, lines: readonly string[], as: LogForm): string[] {
    if (as === 'raw') return [...lines];
    const { services } = this.#opened;
    const look = { raw: false, adapters: adaptersOf(services), masker: services.masker };
    const view = viewOf(as === 'plain' ? 'plain.log' : name, look);
    const text = `${view.push(lines.map((line) => `${line}\n`).join(''))}${view.end()}`;
    return text.replace(/\n$/, '').split('\n');
  }

  #index(session: string, name: string): LogIndex {
    const folder = this.#folder(session);
    // Looked up, never opened as it is: a name that is no log of the session is none.
    if (!plainFilesIn(folder).includes(name))
      throw new NotFoundError(`Session ${session} has no log "${name.slice(0, 80)}".`);
    const key = join(folder, name);
    const index = this.#indexes.get(key) ?? new LogIndex(key);
    this.#indexes.delete(key);
    this.#indexes.set(key, index);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= MOST_OPEN) break;
      this.#indexes.delete(oldest);
    }
    index.extend();
    return index;
  }

  #folder(session: string): string {
    return join(this.#opened.project.sessions, session, 'logs');
  }
}
