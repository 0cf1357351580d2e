import { closeSync, writeSync } from 'node:fs';
import { listPrice, type OwnPrices } from '../../agents/pricing/price.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { Masker } from '../../kernel/mask.ts';
import { maskJson } from '../../kernel/mask-json.ts';
import type { MadeCall } from '../../models/ask-model.ts';
import type { ModelRequest, ToolUse } from '../../models/call.ts';
import { openPlain } from '../../process/plain-file.ts';

/** What one call is kept as: everything that is needed to understand it, or to make it again. */
export function callRecord(
  { model, key, at, end }: MadeCall,
  { request, used, prices, where }: Around,
): JsonObject {
  const usd = priceOf(model, end.tokens, prices);
  return {
    format: 1,
    ...where,
    at,
    ms: end.ms,
    model,
    key,
    request: {
      system: request.system,
      prompt: request.prompt,
      answer: { ...request.answer },
      tools: request.tools.map(({ name }) => name),
      maxTurns: request.maxTurns,
      maxOutputTokens: request.maxOutputTokens,
    },
    response: { text: end.text, tools: used.map((use): JsonValue => ({ ...use })) },
    tokens: { ...end.tokens },
    ...(usd === undefined ? {} : { usd }),
    ...(end.ok ? {} : { error: { ...end.error } }),
  };
}

export interface Around {
  readonly request: ModelRequest;
  readonly used: readonly ToolUse[];
  readonly prices: OwnPrices | undefined;
  /** Session, step and block. */
  readonly where: JsonObject;
}

/** By the name the provider uses, which is what price lists go by. */
export function priceOf(
  model: string,
  tokens: MadeCall['end']['tokens'],
  prices: OwnPrices | undefined,
): number | undefined {
  return listPrice(model, tokens, prices) ?? listPrice(model.replace(/^[^/]+\//, ''), tokens, prices);
}

/** Losing a record must not lose the work: what could not be written is said. */
export function writeRecord(file: string, record: JsonObject, masker: Masker): void {
  const fd = openPlain(file, 'w');
  try {
    writeSync(fd, `${JSON.stringify(maskJson(masker, record), null, 2)}\n`);
  } finally {
    closeSync(fd);
  }
}
