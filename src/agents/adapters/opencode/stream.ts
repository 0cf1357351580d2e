import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentError, AgentEvent } from '../../event.ts';
import type { RunnerEnd } from '../../runner/runner.ts';
import { resetOfHeaders } from '../reset/headers.ts';
import { resetTime } from '../reset/reset-time.ts';
import type { StreamContext } from '../stream/context.ts';
import { agentError } from '../stream/error-kind.ts';
import { JsonLineStream } from '../stream/json-line-stream.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';
import { NO_TOKENS, usageEvent } from '../stream/usage.ts';
import { OPENCODE_NOISE, OpencodeLog } from './log-lines.ts';

/** `opencode run --format json`. It has no terminal event: the last step and the exit code are it. */
export class OpencodeStream extends JsonLineStream {
  protected override readonly noise = OPENCODE_NOISE;
  #announced = false;
  /** What the conversation has cost; unknown where it is not known what it had cost before. */
  #usd: number | undefined;
  /** Why the last step ended; `tool-calls` means that another one must follow. */
  #reason: string | undefined;
  readonly #log = new OpencodeLog();

  constructor(context: StreamContext) {
    super(context);
    this.#usd = context.resume ? context.resume.counted?.usd : 0;
  }

  protected read(message: JsonObject): readonly AgentEvent[] {
    const part = objectAt(message, 'part');
    if (message['type'] === 'tool_use') this.#log.toolEnded();
    return [...this.#session(message), ...this.#part(message, part)];
  }

  override get busy(): boolean {
    return this.#log.toolRuns;
  }

  protected override readText(line: string): readonly AgentEvent[] {
    return this.retried(this.#log.read(line));
  }

  protected override finish(end: RunnerEnd): readonly AgentEvent[] {
    const ended = (end.kind === 'exited' && end.code === 0) || end.kind === 'stopped';
    if (!ended || this.#reason === undefined) return [];
    if (this.#reason === 'length' || this.#reason === 'content-filter') {
      const message = `The answer was cut off: ${this.#reason}.`;
      return [
        { type: 'error', kind: 'refused', message },
        { type: 'result', ok: false, text: message },
      ];
    }
    // After a rejected tool opencode just stops, with code 0.
    return this.#reason === 'tool-calls' ? [] : [{ type: 'result', ok: true, text: '' }];
  }

  #session(message: JsonObject): readonly AgentEvent[] {
    const id = textAt(message, 'sessionID');
    if (id === undefined || this.#announced) return [];
    this.#announced = true;
    this.#remember(id);
    return [{ type: 'session', id }];
  }

  #part(message: JsonObject, part: JsonObject): readonly AgentEvent[] {
    switch (message['type']) {
      case 'text': {
        const text = textAt(part, 'text') ?? '';
        return text.trim() === '' ? [] : [{ type: 'text', text }];
      }
      case 'tool_use':
        return toolEvents(part);
      case 'step_start':
        this.#reason = undefined;
        return [];
      case 'step_finish':
        this.#reason = textAt(part, 'reason') ?? 'unknown';
        return this.#used(part);
      case 'error':
        return [this.#error(objectAt(message, 'error'))];
      default:
        return [];
    }
  }

  #used(part: JsonObject): readonly AgentEvent[] {
    if (this.#usd !== undefined) this.#usd += numberAt(part, 'cost') ?? 0;
    this.#remember(this.conversation?.id);
    return usageOf(part);
  }

  /** The money is for a dialogue, which tells it of the whole conversation. */
  #remember(id: string | undefined): void {
    const counted = this.#usd === undefined ? {} : { counted: { tokens: NO_TOKENS, usd: this.#usd } };
    if (id !== undefined) this.conversation = { id, ...counted };
  }

  #error(error: JsonObject): AgentError {
    const data = objectAt(error, 'data');
    const name = textAt(error, 'name') ?? 'Error';
    const message = textAt(data, 'message') ?? name;
    if (name === 'ProviderAuthError') return { type: 'error', kind: 'auth', message };
    if (name === 'MessageOutputLengthError') return { type: 'error', kind: 'refused', message };
    const status = numberAt(data, 'statusCode');
    const resetAt = resetOf(data, this.clock.now());
    const failure = {
      // The kind of a provider's error stands in its body only.
      message: `${message}${spentIn(textAt(data, 'responseBody') ?? '')}`,
      ...(status === undefined ? {} : { status }),
      ...(resetAt === undefined ? {} : { resetAt }),
    };
    return agentError(failure, this.clock.now());
  }
}

function usageOf(part: JsonObject): readonly AgentEvent[] {
  const tokens = objectAt(part, 'tokens');
  const cache = objectAt(tokens, 'cache');
  const cached = numberAt(cache, 'read') ?? 0;
  const input = (numberAt(tokens, 'input') ?? 0) + cached + (numberAt(cache, 'write') ?? 0);
  const output = (numberAt(tokens, 'output') ?? 0) + (numberAt(tokens, 'reasoning') ?? 0);
  return usageEvent({ input, cached, output }, numberAt(part, 'cost'), false);
}

function spentIn(body: string): string {
  const name = /insufficient_quota|usage_limit_reached|billing_[a-z_]+/.exec(body)?.[0];
  return name === undefined ? '' : ` (${name})`;
}

/** What the headers say, then what the body does. */
function resetOf(data: JsonObject, now: number): number | undefined {
  return (
    resetOfHeaders(objectAt(data, 'responseHeaders'), now) ??
    resetTime(textAt(data, 'responseBody') ?? '', now)
  );
}

const DENIED = /rejected permission|prevents? you from using|permission denied|not allowed/i;

/** Opencode tells of a tool once, when it has ended. */
function toolEvents(part: JsonObject): readonly AgentEvent[] {
  const [id, name] = [textAt(part, 'callID') ?? '', textAt(part, 'tool') ?? ''];
  const state = objectAt(part, 'state');
  const input = objectAt(state, 'input');
  const ok = state['status'] === 'completed';
  const output = textAt(state, 'output') ?? textAt(state, 'error') ?? '';
  return [
    { type: 'tool', id, name, input },
    ...(!ok && DENIED.test(output) ? [{ type: 'denied', tool: name, reason: output } as const] : []),
    { type: 'tool.ended', id, ok, output },
    ...(ok ? fileOf(name, input, objectAt(state, 'metadata')) : []),
  ];
}

function fileOf(name: string, input: JsonObject, metadata: JsonObject): readonly AgentEvent[] {
  const path = textAt(input, 'filePath');
  if (path === undefined || (name !== 'write' && name !== 'edit')) return [];
  return [{ type: 'file', path, change: metadata['exists'] === false ? 'added' : 'changed' }];
}
