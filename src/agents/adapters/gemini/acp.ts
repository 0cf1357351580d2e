import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { listPrice, type OwnPrices } from '../../pricing/price.ts';
import type { AcpTraits } from '../acp/traits.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../stream/read-json.ts';
import { NO_TOKENS, plus, usageEvent } from '../stream/usage.ts';
import { GEMINI_NOISE, GeminiRetries } from './retries.ts';

/** `gemini --acp` */
export function geminiTraits(prices?: OwnPrices): AcpTraits {
  const retries = new GeminiRetries();
  return {
    noise: GEMINI_NOISE,
    toolName,
    retry: (line) => retries.read(line),
    error: (failure, now) => retries.error(failure, now),
    count: { updated: () => [], ended: (result) => usageOf(result, prices), counted: undefined },
  };
}

/** It stands only in the id of a call: `write_file__fc_1`, `write_file-1794795069380-1`. */
function toolName(call: JsonObject): string {
  const id = textAt(call, 'toolCallId') ?? '';
  return /^([a-z][a-z0-9]*(?:_[a-z0-9]+)*?)(?:__|-\d)/.exec(id)?.[1] ?? textAt(call, 'kind') ?? 'a tool';
}

/** Per run, by model. The call that chooses the model is left out, and which tokens were cached is not told. */
function usageOf(result: JsonObject, prices: OwnPrices | undefined): readonly AgentEvent[] {
  let tokens = NO_TOKENS;
  let usd: number | undefined = 0;
  for (const used of objectsAt(objectAt(objectAt(result, '_meta'), 'quota'), 'model_usage')) {
    const counts = objectAt(used, 'token_count');
    const own = {
      input: numberAt(counts, 'input_tokens') ?? 0,
      cached: 0,
      output: numberAt(counts, 'output_tokens') ?? 0,
    };
    const price = listPrice(textAt(used, 'model') ?? '', own, prices);
    usd = usd === undefined || price === undefined ? undefined : usd + price;
    tokens = plus(tokens, own);
  }
  return usageEvent(tokens, usd, true);
}
