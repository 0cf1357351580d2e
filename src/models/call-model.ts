import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { TokenCount } from '../agents/event.ts';
import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { createMasker } from '../kernel/mask.ts';
import type { CallEnd, CallListener, ModelRequest, ModelTool } from './call.ts';
import { languageModel } from './language-model.ts';
import type { ModelError } from './model-error.ts';
import type { ModelKey, Provider, ProviderKind } from './provider.ts';
import { errorOf } from './thrown-error.ts';

export interface CallPlace {
  readonly provider: Provider;
  readonly key: ModelKey;
  readonly model: string;
}

const NOTHING: TokenCount = { input: 0, cached: 0, output: 0 };
/** For what nobody has counted: a call that was cut off was paid for all the same. */
const CHARACTERS_PER_TOKEN = 4;

/** Asks a model once, with one key. However it ends is a value; only being cancelled is thrown. */
export async function callModel(
  place: CallPlace,
  request: ModelRequest,
  listener: CallListener,
  { cancel, now }: { readonly cancel: AbortSignal; readonly now: () => number },
): Promise<CallEnd> {
  const began = performance.now();
  const heard = new Heard(listener);
  let error: ModelError | undefined;
  try {
    const { streamText, stepCountIs } = await quietSdk();
    const result = streamText({
      model: await languageModel(place.provider, place.key, place.model),
      system: request.system,
      messages: [{ role: 'user', content: request.prompt }] satisfies ModelMessage[],
      tools: await toolSet(request.tools, listener),
      stopWhen: stepCountIs(request.maxTurns),
      maxOutputTokens: request.maxOutputTokens,
      // Which key or model is tried next is ours to decide.
      maxRetries: 0,
      abortSignal: cancel,
      onError: () => undefined,
      ...(await outputOf(request, place.provider.kind)),
    });
    for await (const part of result.fullStream) heard.part(part, now());
    error = heard.problem();
  } catch (thrown) {
    error = errorOf(thrown, now());
  }
  cancel.throwIfAborted();
  const ms = Math.round(performance.now() - began);
  if (error === undefined) return { ok: true, tokens: heard.tokens, text: heard.text, ms };
  const tokens = heard.unfinished(request);
  if (tokens !== NOTHING) listener.tokens(tokens);
  // Providers quote a key that they do not know.
  const message = createMasker([place.key.value]).mask(error.message);
  return { ok: false, error: { ...error, message }, tokens: sum(heard.tokens, tokens), text: heard.text, ms };
}

/** Puts the parts of a stream together. */
class Heard {
  text = '';
  tokens: TokenCount = NOTHING;
  readonly #listener: CallListener;
  #error: ModelError | undefined;
  #finish: string | undefined;
  /** Of the answer that is on its way. */
  #partial = '';
  #isOpen = false;

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  part(part: TextStreamPart<ToolSet>, now: number): void {
    if (part.type === 'start-step') {
      this.#partial = '';
      this.#isOpen = true;
      this.text = '';
    } else if (part.type === 'text-delta') {
      this.text += part.text;
      this.#partial += part.text;
      this.#listener.text(part.text);
    } else if (part.type === 'finish-step') {
      this.#isOpen = false;
      const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = part.usage;
      const count = {
        input: inputTokens,
        cached: inputTokenDetails?.cacheReadTokens ?? 0,
        output: outputTokens,
      };
      this.tokens = sum(this.tokens, count);
      this.#finish = part.finishReason;
      this.#listener.tokens(count);
    } else if (part.type === 'error') this.#error ??= errorOf(part.error, now);
  }

  /** Why what was heard is no answer. */
  problem(): ModelError | undefined {
    if (this.#error) return this.#error;
    switch (this.#finish) {
      case 'stop':
        return undefined;
      case 'length':
        return { kind: 'length', message: 'the answer was cut at the most tokens that it may have' };
      case 'content-filter':
        return { kind: 'refused', message: 'the provider refused to answer' };
      case 'tool-calls':
        return { kind: 'turns', message: 'it only looked around until its turns were used up' };
      default:
        return { kind: 'cut', message: 'the stream broke off before the answer was complete' };
    }
  }

  /** What an answer has cost that was never finished, as far as its length tells. */
  unfinished({ system, prompt }: ModelRequest): TokenCount {
    if (!this.#isOpen || this.#partial === '') return NOTHING;
    return { input: tokensIn(system + prompt), cached: 0, output: tokensIn(this.#partial) };
  }
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function sum(a: TokenCount, b: TokenCount): TokenCount {
  return { input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output };
}

async function toolSet(tools: readonly ModelTool[], listener: CallListener): Promise<ToolSet> {
  const { jsonSchema, tool } = await import('ai');
  const named = tools.map((each) => {
    const { name, description, input } = each;
    const execute = async (given: unknown) => {
      const said = isJsonObject(given) ? given : {};
      const output = await each.use(said);
      listener.tool({ name, input: said, output });
      return output;
    };
    return [name, tool({ description, inputSchema: jsonSchema<JsonObject>(input), execute })] as const;
  });
  return Object.fromEntries(named);
}

/** Its warnings are for whoever writes a program, and go to the terminal of whoever runs one. */
async function quietSdk() {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return import('ai');
}

async function outputOf({ answer }: ModelRequest, kind: ProviderKind) {
  // Anthropic's API knows no JSON without a schema; there the prompt alone asks for it.
  if (answer.kind === 'text' || (answer.kind === 'json' && kind === 'anthropic')) return {};
  const { jsonSchema, Output } = await import('ai');
  // Strict shapes refuse what people write into a schema; the answer is validated by the engine in any case.
  const providerOptions = { openai: { strictJsonSchema: false } };
  if (answer.kind === 'json') return { output: Output.json(), providerOptions };
  return { output: Output.object({ schema: jsonSchema(answer.schema) }), providerOptions };
}
