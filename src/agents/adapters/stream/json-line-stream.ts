import { type Clock, systemClock } from '../../../kernel/clock.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentConversation, AgentStream, OwnWait } from '../../adapter.ts';
import type { AgentError, AgentEvent } from '../../event.ts';
import type { RunnerEnd } from '../../runner/runner.ts';
import type { StreamContext } from './context.ts';
import { agentError, type Failure } from './error-kind.ts';
import { LastWords } from './last-words.ts';
import { OwnErrors } from './own-errors.ts';
import { errorInWords } from './own-words.ts';
import { objectIn } from './read-json.ts';
import type { Retry } from './retry.ts';
import { UsagePaths } from './usage-paths.ts';

/**
 * Reads a CLI that prints one JSON object a line. Invariants:
 * 1. The last event of a run is a result, whatever the CLI did.
 * 2. A result is never ok when a tool was blocked and none succeeded after it; then it says that it is `blocked`.
 * 3. A line that is not JSON harms nothing: it is kept for the case that the CLI dies without a word.
 * 4. What the definition says about errors and tokens goes before what the reader thinks of them.
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
  /** The CLI waits by itself before it tries again after `trouble`: how long, where it says so. */
  protected pause: { readonly ms?: number } | undefined;
  readonly #errors: OwnErrors;
  readonly #usage: UsagePaths | undefined;
  readonly #words = { said: new LastWords(), errors: new LastWords() };
  #ended = false;
  #blocked = false;
  #failed = false;
  /** By the definition's own words something went wrong: no result is ok after it. */
  #disbelieved = false;
  #text = '';

  constructor(context: StreamContext) {
    this.conversation = context.resume;
    this.clock = context.clock ?? systemClock;
    this.prices = context.prices;
    this.#errors = new OwnErrors(context.errors);
    this.#usage = context.usage && new UsagePaths(context.usage, context);
  }

  get waits(): OwnWait | undefined {
    if (!this.pause || !this.trouble) return undefined;
    const now = this.clock.now();
    const { ms } = this.pause;
    if (ms === undefined) return { error: agentError(this.trouble, now) };
    const resetAt = Math.round(now + ms);
    return { ms, error: { ...agentError({ ...this.trouble, resetAt }, now), resetAt } };
  }

  push(line: string, from: 'stdout' | 'stderr'): readonly AgentEvent[] {
    const message = from === 'stdout' ? objectIn(line) : undefined;
    if (!message && !this.noise?.test(line)) this.#words[from === 'stderr' ? 'errors' : 'said'].add(line);
    const events = message ? this.#counted(message, this.read(message)) : this.#plain(line);
    return events.map((event) => this.#noted(event));
  }

  end(end: RunnerEnd): readonly AgentEvent[] {
    const events = this.finish(end).map((event) => this.#noted(event));
    if (this.#ended) return events;
    const missing: AgentEvent[] = [];
    if (!this.#explained(end)) missing.push(this.#renamed(this.cause(end, this.#lastWords)));
    const gaveUp = this.#blocked && !this.#failed && isEndedWell(end) ? ({ blocked: true } as const) : {};
    return [...events, ...missing, { type: 'result', ok: false, text: this.#text, ...gaveUp }];
  }

  protected abstract read(message: JsonObject): readonly AgentEvent[];

  /** A line that is not JSON. */
  protected readText(_line: string): readonly AgentEvent[] {
    return [];
  }

  /** A tool runs that the CLI has not told of yet. */
  get busy(): boolean {
    return false;
  }

  /** Takes up what a line of the log told. */
  protected retried(retry: Retry | undefined): readonly AgentEvent[] {
    if (retry?.failure) this.trouble = retry.failure;
    if (retry?.pause !== undefined) this.pause = retry.pause ?? undefined;
    return retry?.events ?? [];
  }

  /** What only the end of the process tells. */
  protected finish(_end: RunnerEnd): readonly AgentEvent[] {
    return [];
  }

  /** Why a run ended without a result. */
  protected cause(end: RunnerEnd, words: string): AgentError {
    if (this.trouble) return agentError(this.trouble, this.clock.now());
    if (end.kind === 'exited' && words !== '') {
      const { said, errors } = this.#words;
      return errorInWords({ said: said.lines, errors: errors.lines }, words, this.clock.now());
    }
    const message = words === '' ? describeEnd(end) : `${describeEnd(end)}: ${words}`;
    return { type: 'error', kind: 'crash', message };
  }

  /** A line that is not JSON; one that the definition knows is an error, and told once. */
  #plain(line: string): readonly AgentEvent[] {
    if (this.#ended) return [];
    const own = this.#disbelieved ? undefined : this.#errors.in(line, this.clock.now());
    return [...this.readText(line), ...(own ? [own] : [])];
  }

  #counted(message: JsonObject, events: readonly AgentEvent[]): readonly AgentEvent[] {
    if (!this.#usage) return events;
    return [...this.#usage.read(message), ...events.filter(({ type }) => type !== 'usage')];
  }

  #renamed(error: AgentError): AgentError {
    const own = this.#errors.in(error.message, this.clock.now());
    if (!own) return error;
    this.#disbelieved = true;
    return { ...error, ...own };
  }

  get #lastWords(): string {
    return [...this.#words.said.lines, ...this.#words.errors.lines].join('\n');
  }

  #noted(told: AgentEvent): AgentEvent {
    const event = told.type === 'error' ? this.#renamed(told) : told;
    if (event.type !== 'retrying') this.pause = undefined;
    else if (event.waitMs !== undefined) this.pause = { ms: event.waitMs };
    if (event.type === 'denied') this.#blocked = true;
    if (event.type === 'tool.ended' && event.ok) this.#succeeded();
    if (event.type === 'error') this.#failed = true;
    if (event.type === 'text') this.#text = event.text;
    if (event.type !== 'result') return event;
    this.#ended = true;
    const text = event.text === '' ? this.#text : event.text;
    if (this.#disbelieved) return { ...event, ok: false, text };
    return event.ok && this.#blocked ? { ...event, ok: false, text, blocked: true } : { ...event, text };
  }

  /** Whether it is known already why there is no result: we stopped it, it told, or it gave up on a blocked tool. */
  #explained(end: RunnerEnd): boolean {
    return (
      end.kind === 'stopped' || end.kind === 'given-up' || this.#failed || (this.#blocked && isEndedWell(end))
    );
  }

  #succeeded(): void {
    this.#blocked = false;
    this.trouble = undefined;
  }
}

function isEndedWell(end: RunnerEnd): boolean {
  return end.kind === 'exited' && end.code === 0;
}

function describeEnd(end: RunnerEnd): string {
  if (end.kind === 'exited') return `The agent ended with exit code ${end.code} and without a result`;
  if (end.kind === 'killed') return `The agent was killed by ${end.signal}`;
  if (end.kind === 'timed-out') return `The agent was stopped after ${Math.round(end.afterMs / 1000)} s`;
  return 'The agent was stopped';
}
