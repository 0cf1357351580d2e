import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import type { StreamContext } from '../stream/context.ts';
import { agentError, type Failure } from '../stream/error-kind.ts';
import { JsonLineStream } from '../stream/json-line-stream.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';

type Then = (result: JsonObject) => readonly AgentEvent[];

const METHOD_NOT_FOUND = -32601;

/**
 * Talks JSON-RPC with a CLI, one message a line. Invariants:
 * 1. Every request of the CLI is answered: what nobody knows with an error, so that it does not wait for ever.
 * 2. A call of ours that fails ends the run: each is a step on the way to the prompt, or the prompt itself.
 */
export abstract class RpcStream extends JsonLineStream {
  readonly opening: string;
  readonly #calls = new Map<number, Then>();
  #lastCall = 0;
  #outgoing = '';

  constructor(context: StreamContext, initialize: JsonObject) {
    super(context);
    this.call('initialize', initialize, (result) => this.initialized(result));
    this.opening = this.outgoing();
  }

  outgoing(): string {
    const text = this.#outgoing;
    this.#outgoing = '';
    return text;
  }

  /** The first call was answered. */
  protected abstract initialized(result: JsonObject): readonly AgentEvent[];
  protected abstract notified(method: string, params: JsonObject): readonly AgentEvent[];
  /** Undefined: it is not known, and refused. */
  protected abstract requested(
    id: JsonValue,
    method: string,
    params: JsonObject,
  ): readonly AgentEvent[] | undefined;

  protected read(message: JsonObject): readonly AgentEvent[] {
    const [id, method] = [message['id'], textAt(message, 'method')];
    if (method === undefined) return this.#answered(message);
    const params = objectAt(message, 'params');
    if (id === undefined) return this.notified(method, params);
    const events = this.requested(id, method, params);
    if (events) return events;
    this.#write({ id, error: { code: METHOD_NOT_FOUND, message: `loopwright does not know ${method}.` } });
    return [];
  }

  protected call(method: string, params: JsonObject, then: Then): void {
    const id = ++this.#lastCall;
    this.#calls.set(id, then);
    this.#write({ id, method, params });
  }

  protected notify(method: string, params: JsonObject = {}): void {
    this.#write({ method, params });
  }

  protected reply(id: JsonValue, result: JsonObject | null): void {
    this.#write(replyTo(id, result));
  }

  /** What it means for the run that a call was refused. */
  protected failed(failure: Failure): readonly AgentEvent[] {
    return [agentError(failure, this.clock.now()), { type: 'result', ok: false, text: failure.message }];
  }

  #answered(message: JsonObject): readonly AgentEvent[] {
    const id = numberAt(message, 'id');
    const then = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || !then) return [];
    this.#calls.delete(id);
    if (message['error'] === undefined) return then(objectAt(message, 'result'));
    return this.failed(failureOf(objectAt(message, 'error')));
  }

  #write(message: JsonObject): void {
    this.#outgoing += rpcLine(message);
  }
}

/** Codes of HTTP are those of the model's provider; those of JSON-RPC itself are negative. */
function failureOf(error: JsonObject): Failure {
  const code = numberAt(error, 'code') ?? 0;
  const message = textAt(error, 'message') ?? 'It was refused without a reason.';
  const details = textAt(objectAt(error, 'data'), 'details');
  return {
    message: details === undefined ? message : `${message}: ${details}`,
    ...(code >= 400 ? { status: code } : {}),
  };
}

export function replyTo(id: JsonValue, result: JsonObject | null): JsonObject {
  return { id, result };
}

export function rpcLine(message: JsonObject): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}
