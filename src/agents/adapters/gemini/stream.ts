import { isJsonObject, type JsonObject } from '../../../kernel/json.ts';
import type { AgentError, AgentEvent, TokenCount } from '../../event.ts';
import { listPrice, type OwnPrices } from '../../pricing/price.ts';
import type { RunnerEnd } from '../../runner/runner.ts';
import { JsonLineStream } from '../stream/json-line-stream.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';
import { NO_TOKENS, plus, usageEvent } from '../stream/usage.ts';
import { GEMINI_NOISE, GeminiRetries } from './retries.ts';

/** `gemini -o stream-json`; its retries stand on standard error, in words. */
export class GeminiStream extends JsonLineStream {
  protected override readonly noise = GEMINI_NOISE;
  readonly #tools = new GeminiTools();
  readonly #retries = new GeminiRetries();
  #said = '';
  /** Why gemini broke the run off by itself, as long as nothing follows. */
  #brokenOff: string | undefined;

  protected read(message: JsonObject): readonly AgentEvent[] {
    if (message['type'] === 'message') return this.#message(message);
    const said = this.#flush();
    if (message['type'] === 'tool_use') this.#brokenOff = undefined;
    switch (message['type']) {
      case 'init':
        return [...said, ...this.#init(message)];
      case 'tool_use':
        return [...said, this.#tools.used(message)];
      case 'tool_result':
        return [...said, ...this.#tools.ended(message)];
      case 'error':
        this.#brokenOff = textAt(message, 'message') ?? 'It broke off.';
        return said;
      case 'result':
        return [...said, ...this.#result(message)];
      default:
        return said;
    }
  }

  protected override readText(line: string): readonly AgentEvent[] {
    return this.retried(this.#retries.read(line));
  }

  protected override finish(): readonly AgentEvent[] {
    return this.#flush();
  }

  /** Without a result the exit code is the only one to tell: gemini has codes of its own. */
  protected override cause(end: RunnerEnd, words: string): AgentError {
    const code = end.kind === 'exited' ? end.code : 0;
    if (code === 41) return { type: 'error', kind: 'auth', message: words };
    if (code === 42 || code === 52 || code === 55) return { type: 'error', kind: 'refused', message: words };
    return super.cause(end, words);
  }

  #init(message: JsonObject): readonly AgentEvent[] {
    const [id, model] = [textAt(message, 'session_id') ?? '', textAt(message, 'model')];
    this.conversation = { id };
    return [{ type: 'session', id, ...(model === undefined ? {} : { model }) }];
  }

  /** Its words come in pieces; they are one text until something else happens. */
  #message(message: JsonObject): readonly AgentEvent[] {
    if (message['role'] !== 'assistant') return [];
    this.#brokenOff = undefined;
    const whole = message['delta'] === true ? [] : this.#flush();
    this.#said += textAt(message, 'content') ?? '';
    return whole;
  }

  #flush(): readonly AgentEvent[] {
    const text = this.#said;
    this.#said = '';
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  }

  #result(message: JsonObject): readonly AgentEvent[] {
    const usage = usageOf(objectAt(message, 'stats'), this.prices);
    if (message['status'] !== 'error') return [...usage, ...this.#ended()];
    const error = objectAt(message, 'error');
    const text = textAt(error, 'message') ?? 'gemini failed.';
    return [...usage, this.#error(textAt(error, 'type') ?? '', text), { type: 'result', ok: false, text }];
  }

  /** A success by its status may be one that gemini itself broke off: a loop, its turns, a block. */
  #ended(): readonly AgentEvent[] {
    const message = this.#brokenOff;
    if (message === undefined) return [{ type: 'result', ok: true, text: '' }];
    const kind = /loop detected/i.test(message) ? 'loop' : 'refused';
    return [
      { type: 'error', kind, message },
      { type: 'result', ok: false, text: '' },
    ];
  }

  #error(type: string, message: string): AgentEvent {
    if (type === 'FatalTurnLimitedError') return { type: 'error', kind: 'refused', message };
    if (type === 'FatalAuthenticationError') return { type: 'error', kind: 'auth', message };
    // Its own name for a spent quota comes before its words, which speak of keys and logins too.
    const status = type.endsWith('QuotaError') ? { status: 429 } : {};
    return this.#retries.error({ message, ...status }, this.clock.now());
  }
}

/** Per run, by model. One model without a price leaves the sum without one. */
function usageOf(stats: JsonObject, prices: OwnPrices | undefined): readonly AgentEvent[] {
  let tokens = NO_TOKENS;
  let usd: number | undefined = 0;
  for (const [model, counts] of Object.entries(objectAt(stats, 'models'))) {
    if (!isJsonObject(counts)) continue;
    const used: TokenCount = {
      input: numberAt(counts, 'input_tokens') ?? 0,
      cached: numberAt(counts, 'cached') ?? 0,
      output: numberAt(counts, 'output_tokens') ?? 0,
    };
    if (used.input + used.output === 0) continue;
    const price = listPrice(model, used, prices);
    usd = usd === undefined || price === undefined ? undefined : usd + price;
    tokens = plus(tokens, used);
  }
  return usageEvent(tokens, usd, true);
}

const DENIED =
  /denied|not permitted|policy|path not in workspace|rejected|requires? (?:user )?(?:confirmation|approval)|cancell?ed by user/i;

/** The tools of a run; a result names only the call it belongs to. */
class GeminiTools {
  readonly #open = new Map<string, { readonly name: string; readonly input: JsonObject }>();

  used(message: JsonObject): AgentEvent {
    const [id, name] = [textAt(message, 'tool_id') ?? '', textAt(message, 'tool_name') ?? ''];
    const input = objectAt(message, 'parameters');
    this.#open.set(id, { name, input });
    return { type: 'tool', id, name, input };
  }

  ended(message: JsonObject): readonly AgentEvent[] {
    const id = textAt(message, 'tool_id') ?? '';
    const { name = 'a tool', input = {} } = this.#open.get(id) ?? {};
    const ok = message['status'] === 'success';
    const error = objectAt(message, 'error');
    const output = textAt(message, 'output') ?? textAt(error, 'message') ?? '';
    const told = `${textAt(error, 'type') ?? ''} ${output}`.trim();
    return [
      ...(!ok && DENIED.test(told) ? [{ type: 'denied', tool: name, reason: told } as const] : []),
      { type: 'tool.ended', id, ok, output },
      ...(ok ? fileOf(name, input) : []),
    ];
  }
}

/** Gemini does not tell whether a file that it wrote was there before. */
function fileOf(name: string, input: JsonObject): readonly AgentEvent[] {
  const path = textAt(input, 'file_path');
  if (path === undefined || (name !== 'write_file' && name !== 'replace')) return [];
  return [{ type: 'file', path, change: 'changed' }];
}
