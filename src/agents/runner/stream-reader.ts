import { errorMessage } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Masker } from '../../kernel/mask.ts';
import { maskJson } from '../../kernel/mask-json.ts';
import type { AgentStream } from '../adapter.ts';
import type { AgentEvent } from '../event.ts';
import { strip } from '../output/clean.ts';
import { LineBuffer } from '../output/lines.ts';
import type { RunnerEnd } from './runner.ts';

type From = 'stdout' | 'stderr';

export interface StreamReaderOptions {
  readonly stream: AgentStream;
  readonly masker: Masker;
  readonly listener: (event: AgentEvent) => void;
  /** To the agent's standard input. */
  readonly write: (text: string) => void;
}

/** Feeds an adapter's stream with whole lines. A stream that throws is a broken one: it says so once and is left alone. */
export class StreamReader {
  readonly #stream: AgentStream;
  readonly #masker: Masker;
  readonly #listener: (event: AgentEvent) => void;
  readonly #write: (text: string) => void;
  readonly #lines = { stdout: new LineBuffer(), stderr: new LineBuffer() };
  #broken = false;

  constructor({ stream, masker, listener, write }: StreamReaderOptions) {
    this.#stream = stream;
    this.#masker = masker;
    this.#listener = listener;
    this.#write = write;
  }

  /** Takes the raw text: cleaning could bite into the characters of a JSON line. */
  push(raw: string, from: From): void {
    for (const line of this.#lines[from].push(raw)) this.#read(line, from);
  }

  end(end: RunnerEnd): void {
    for (const from of ['stdout', 'stderr'] as const) {
      for (const line of this.#lines[from].end()) this.#read(line, from);
    }
    this.#attempt(() => this.#stream.end(end));
  }

  #read(line: string, from: From): void {
    this.#attempt(() => this.#stream.push(line.startsWith('{') ? line : strip(line), from));
  }

  #attempt(read: () => readonly AgentEvent[]): void {
    if (this.#broken) return;
    let events: readonly AgentEvent[];
    try {
      events = read();
      // Before the events: a result closes the input.
      const outgoing = this.#stream.outgoing?.() ?? '';
      if (outgoing !== '') this.#write(outgoing);
    } catch (error) {
      this.#broken = true;
      const message = `What the agent prints cannot be read: ${errorMessage(error)}`;
      events = [{ type: 'error', kind: 'crash', message }];
    }
    for (const event of events) this.#listener(this.#masked(event));
  }

  /** An escape inside JSON can have hidden a secret from the masking of its line. */
  #masked(event: AgentEvent): AgentEvent {
    // Events are plain data, which an interface cannot say of itself.
    return maskJson(this.#masker, event as unknown as JsonObject) as unknown as AgentEvent;
  }
}
