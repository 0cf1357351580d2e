import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { AdapterRegistry } from '../../agents/registry/registry.ts';
import type { Masker } from '../../kernel/mask.ts';
import { streamOfLog, taskOfLog } from '../../workers/agent/stream-log.ts';
import type { Screen } from '../output.ts';
import { type LogView, plainView, rawView, streamView } from './log-view.ts';

export interface LogLook {
  readonly raw: boolean;
  readonly json: boolean;
  /** A title is printed before each log. */
  readonly titled: boolean;
  readonly adapters: AdapterRegistry;
  readonly masker: Masker;
}

const PIECE = 64 * 1024;

/** One log file as far as it was printed. */
export class OpenLog {
  readonly #name: string;
  readonly #fd: number;
  readonly #look: LogLook;
  readonly #view: LogView;
  readonly #decoder = new TextDecoder();
  readonly #buffer = Buffer.alloc(PIECE);
  #titled = false;

  constructor(folder: string, name: string, look: LogLook) {
    this.#name = name;
    this.#fd = openSync(join(folder, name), 'r');
    this.#look = look;
    this.#view = viewOf(name, look);
  }

  async printNew(screen: Screen): Promise<void> {
    for (;;) {
      const size = readSync(this.#fd, this.#buffer, 0, PIECE, null);
      if (size === 0) return;
      const raw = this.#decoder.decode(this.#buffer.subarray(0, size), { stream: true });
      await this.#print(screen, this.#view.push(raw));
    }
  }

  async close(screen: Screen): Promise<void> {
    await this.#print(screen, this.#view.end());
    closeSync(this.#fd);
  }

  async #print(screen: Screen, text: string): Promise<void> {
    if (text === '') return;
    const task = taskOfLog(this.#name);
    if (this.#look.json) return screen.json({ task, log: this.#name, text });
    if (this.#look.titled && !this.#titled) screen.line(screen.style.bold(task));
    this.#titled = true;
    await screen.text(text);
  }
}

/** An agent's stream is told in words where its adapter can read it. */
export function viewOf(name: string, { raw, adapters, masker }: Omit<LogLook, 'json' | 'titled'>): LogView {
  if (raw) return rawView();
  const log = streamOfLog(name);
  if (!log || !adapters.has(log.agent)) return plainView();
  const adapter = adapters.create(log.agent, { name: log.agent, cwd: '.', ...log.settings });
  const stream = adapter.openStream?.('headless');
  return stream ? streamView(stream, masker) : plainView();
}
