import { createHash } from 'node:crypto';
import type { AgentError, AgentEvent } from '../event.ts';

/** An agent that runs for days must not fill our memory. */
const MOST_REMEMBERED = 2000;
const LONGEST_SHOWN = 200;

/**
 * Sees an agent go round in circles: the same call of a tool with the same input, or the same failure of its tools,
 * over and over. A call that it has not made before is progress, and so is a tool that works after a failure.
 */
export class SameToolWatch {
  readonly #most: number;
  readonly #names = new Map<string, string>();
  #seen = new Set<string>();
  readonly #calls = new Map<string, number>();
  #failure = { key: '', times: 0 };

  constructor(most: number | undefined) {
    this.#most = most ?? Number.POSITIVE_INFINITY;
  }

  /** What the agent is to be given up for, when this was once too often. */
  hear(event: AgentEvent): AgentError | undefined {
    if (event.type === 'tool') return this.#called(event);
    return event.type === 'tool.ended' ? this.#ended(event) : undefined;
  }

  #called({ id, name, input }: Extract<AgentEvent, { type: 'tool' }>): AgentError | undefined {
    const text = `${name} ${JSON.stringify(input)}`;
    const key = createHash('sha256').update(text).digest('base64');
    if (this.#names.size < MOST_REMEMBERED) this.#names.set(id, name);
    if (!this.#seen.has(key)) {
      if (this.#seen.size >= MOST_REMEMBERED) this.#seen = new Set();
      this.#seen.add(key);
      this.#calls.clear();
    }
    const times = (this.#calls.get(key) ?? 0) + 1;
    this.#calls.set(key, times);
    return times < this.#most ? undefined : loop(`It called the same tool ${times} times: ${shown(text)}`);
  }

  #ended({ id, ok, output }: Extract<AgentEvent, { type: 'tool.ended' }>): AgentError | undefined {
    const name = this.#names.get(id) ?? 'a tool';
    this.#names.delete(id);
    const key = ok ? '' : `${name}: ${output}`;
    const times = key !== '' && key === this.#failure.key ? this.#failure.times + 1 : 1;
    this.#failure = { key, times };
    if (ok || times < this.#most) return undefined;
    return loop(`The same failed ${times} times in a row, ${shown(key)}`);
  }
}

function loop(message: string): AgentError {
  return { type: 'error', kind: 'loop', message };
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}...` : line;
}
