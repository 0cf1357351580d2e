import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { AdapterRegistry } from '../../../agents/registry/registry.ts';
import type { Masker } from '../../../kernel/mask.ts';
import { openPlain } from '../../../process/plain-file.ts';
import { streamOfLog } from '../../../workers/agent/stream-log.ts';
import { type LogView, plainView, rawView, streamView } from './log-view.ts';

export interface LogLook {
  /** As it was printed, instead of in words. */
  readonly raw: boolean;
  readonly adapters: AdapterRegistry;
  readonly masker: Masker;
}

const PIECE = 64 * 1024;

/** One log file as far as it was read. */
export class OpenLog {
  readonly #fd: number;
  readonly #view: LogView;
  readonly #decoder = new TextDecoder();
  readonly #buffer = Buffer.alloc(PIECE);

  constructor(folder: string, name: string, look: LogLook) {
    this.#fd = openPlain(join(folder, name));
    this.#view = viewOf(name, look);
  }

  /** What was written since the last call, piece by piece. */
  *readNew(): Generator<string> {
    for (;;) {
      const size = readSync(this.#fd, this.#buffer, 0, PIECE, null);
      if (size === 0) return;
      const raw = this.#decoder.decode(this.#buffer.subarray(0, size), { stream: true });
      const text = this.#view.push(raw);
      if (text !== '') yield text;
    }
  }

  /** The last words, when nothing will follow. */
  end(): string {
    return this.#view.end();
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** An agent's stream is rendered as text where its adapter can read it. */
export function viewOf(name: string, { raw, adapters, masker }: LogLook): LogView {
  if (raw) return rawView();
  const log = streamOfLog(name);
  if (!log || !adapters.has(log.agent)) return plainView();
  const adapter = adapters.create(log.agent, { name: log.agent, cwd: '.', ...log.settings });
  const stream = adapter.openStream?.('headless');
  return stream ? streamView(stream, masker) : plainView();
}
