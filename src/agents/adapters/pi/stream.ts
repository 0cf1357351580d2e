import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { agentError } from '../stream/error-kind.ts';
import { JsonLineStream } from '../stream/json-line-stream.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../stream/read-json.ts';
import { usageEvent } from '../stream/usage.ts';

/** `pi --mode json`. It exits with 0 whatever happened: the last answer says how it went. */
export class PiStream extends JsonLineStream {
  #announced = false;
  /** How the last answer ended, and why. */
  #last: { readonly reason: string; readonly why: string } | undefined;

  protected read(message: JsonObject): readonly AgentEvent[] {
    switch (message['type']) {
      case 'session':
        return this.#session(textAt(message, 'id') ?? '');
      case 'message_end':
        return this.#said(objectAt(message, 'message'));
      case 'tool_execution_start':
        return [this.#tool(message)];
      case 'tool_execution_end':
        return toolEnded(message);
      case 'auto_retry_start':
        return [this.#retrying(message)];
      default:
        return [];
    }
  }

  /** It tries again after it has told the end of its work, so only the end of the process is one. */
  protected override finish(): readonly AgentEvent[] {
    const { reason, why } = this.#last ?? { reason: '', why: '' };
    if (reason === 'stop') return [{ type: 'result', ok: true, text: '' }];
    if (reason === 'length') {
      return [{ type: 'error', kind: 'refused', message: 'The answer was cut off: length.' }, failed('')];
    }
    if (reason !== 'error') return [];
    return [agentError(failureOf(why), this.clock.now()), failed(why)];
  }

  #session(id: string): readonly AgentEvent[] {
    if (this.#announced) return [];
    this.#announced = true;
    this.conversation = { id };
    return [{ type: 'session', id }];
  }

  #said(message: JsonObject): readonly AgentEvent[] {
    if (message['role'] !== 'assistant') return [];
    this.#last = { reason: textAt(message, 'stopReason') ?? '', why: textAt(message, 'errorMessage') ?? '' };
    const texts = objectsAt(message, 'content')
      .filter(({ type }) => type === 'text')
      .map((part): AgentEvent => ({ type: 'text', text: textAt(part, 'text') ?? '' }));
    return [...texts, ...usageOf(objectAt(message, 'usage'))];
  }

  #tool(message: JsonObject): AgentEvent {
    const [id, name] = [textAt(message, 'toolCallId') ?? '', textAt(message, 'toolName') ?? ''];
    const input = objectAt(message, 'args');
    return { type: 'tool', id, name, input };
  }

  #retrying(message: JsonObject): AgentEvent {
    const reason = textAt(message, 'errorMessage') ?? '';
    this.trouble = failureOf(reason);
    const [attempt, waitMs] = [numberAt(message, 'attempt'), numberAt(message, 'delayMs')];
    return {
      type: 'retrying',
      reason,
      ...(attempt === undefined ? {} : { attempt }),
      ...(waitMs === undefined ? {} : { waitMs }),
    };
  }
}

function failed(text: string): AgentEvent {
  return { type: 'result', ok: false, text };
}

/** `429 You exceeded your current quota`: the code of the provider's answer, then its words. */
function failureOf(why: string): { readonly message: string; readonly status?: number } {
  const status = /^(\d{3})\b/.exec(why)?.[1];
  return { message: why, ...(status === undefined ? {} : { status: Number(status) }) };
}

/** Of one answer; the cached tokens come on top of the input. */
function usageOf(usage: JsonObject): readonly AgentEvent[] {
  const cached = numberAt(usage, 'cacheRead') ?? 0;
  const input = (numberAt(usage, 'input') ?? 0) + cached + (numberAt(usage, 'cacheWrite') ?? 0);
  const usd = numberAt(objectAt(usage, 'cost'), 'total');
  return usageEvent({ input, cached, output: numberAt(usage, 'output') ?? 0 }, usd, false);
}

function toolEnded(message: JsonObject): readonly AgentEvent[] {
  const [id, name] = [textAt(message, 'toolCallId') ?? '', textAt(message, 'toolName') ?? ''];
  const ok = message['isError'] !== true;
  const output = objectsAt(objectAt(message, 'result'), 'content')
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n');
  const path = /(?:wrote \d+ bytes to|replaced .* in) (\S.*?)\.?$/m.exec(output)?.[1];
  const changed = ok && path !== undefined && (name === 'write' || name === 'edit');
  return [
    { type: 'tool.ended', id, ok, output },
    ...(changed ? [{ type: 'file', path, change: 'changed' } as const] : []),
  ];
}
