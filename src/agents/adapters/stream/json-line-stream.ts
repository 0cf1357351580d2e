import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json.ts';
import type { AgentConversation, AgentStream } from '../../adapter.ts';
import type { AgentError, AgentEvent } from '../../event.ts';
import type { RunnerEnd } from '../../runner/runner.ts';
import type { StreamContext } from './context.ts';
import { agentError, type Failure } from './error-kind.ts';
import { LastWords } from './last-words.ts';

/**
 * Reads a CLI that prints one JSON object a line. Invariants:
 * 1. The last event of a run is a result, whatever the CLI did.
 * 2. A result is never ok when a tool was blocked and none succeeded after it.
 * 3. A line that is not JSON harms nothing: it is kept for the case that the CLI dies without a word.
 */
export abstract class JsonLineStream implements AgentStream {
  conversation: AgentConversation | undefined;
  protected readonly clock: Clock;
  /** What the project says models cost. */
  protected readonly prices: StreamContext['prices'];
  /** Lines that the CLI prints however well it goes. */
  protected readonly noise: RegExp | undefined;
  /** A failed call that the CLI tries to get over by itself: the cause, should it end without a result. */
  protected trouble: Failure | undefined;
  readonly #words = new LastWords();
  #ended = false;
  #blocked = false;
  #failed = false;
  #text = '';

  constructor(context: StreamContext) {
    this.conversation = context.resume;
    this.clock = context.clock ?? systemClock;
    this.prices = context.prices;
  }

  push(line: string, from: 'stdout' | 'stderr'): readonly AgentEvent[] {
    const message = from === 'stdout' ? parseObject(line) : undefined;
    if (!message && !this.noise?.test(line)) this.#words.add(line);
    const events = message ? this.read(message) : this.#ended ? [] : this.readText(line);
    return events.map((event) => this.#noted(event));
  }

  end(end: RunnerEnd): readonly AgentEvent[] {
    const events = this.finish(end).map((event) => this.#noted(event));
    if (this.#ended) return events;
    const missing: AgentEvent[] = [];
    if (!this.#explained(end)) missing.push(this.cause(end, this.#words.text()));
    return [...events, ...missing, { type: 'result', ok: false, text: this.#text }];
  }

  protected abstract read(message: JsonObject): readonly AgentEvent[];

  /** A line that is not JSON. */
  protected readText(_line: string): readonly AgentEvent[] {
    return [];
  }

  /** What only the end of the process tells. */
  protected finish(_end: RunnerEnd): readonly AgentEvent[] {
    return [];
  }

  /** Why a run ended without a result. */
  protected cause(end: RunnerEnd, words: string): AgentError {
    if (this.trouble) return agentError(this.trouble, this.clock.now());
    if (end.kind === 'exited' && words !== '') return agentError({ message: words }, this.clock.now());
    const message = words === '' ? describeEnd(end) : `${describeEnd(end)}: ${words}`;
    return { type: 'error', kind: 'crash', message };
  }

  #noted(event: AgentEvent): AgentEvent {
    if (event.type === 'denied') this.#blocked = true;
    if (event.type === 'tool.ended' && event.ok) this.#succeeded();
    if (event.type === 'error') this.#failed = true;
    if (event.type === 'text') this.#text = event.text;
    if (event.type !== 'result') return event;
    this.#ended = true;
    return { ...event, ok: event.ok && !this.#blocked, text: event.text === '' ? this.#text : event.text };
  }

  /** Whether it is known already why there is no result: we stopped it, it told, or it gave up on a blocked tool. */
  #explained(end: RunnerEnd): boolean {
    return (
      end.kind === 'stopped' || this.#failed || (this.#blocked && end.kind === 'exited' && end.code === 0)
    );
  }

  #succeeded(): void {
    this.#blocked = false;
    this.trouble = undefined;
  }
}

function parseObject(line: string): JsonObject | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function describeEnd(end: RunnerEnd): string {
  if (end.kind === 'exited') return `The agent ended with exit code ${end.code} and without a result`;
  if (end.kind === 'killed') return `The agent was killed by ${end.signal}`;
  if (end.kind === 'timed-out') return `The agent was stopped after ${Math.round(end.afterMs / 1000)} s`;
  return 'The agent was stopped';
}
