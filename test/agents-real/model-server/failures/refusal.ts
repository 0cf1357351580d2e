import type { Api } from '../answer.ts';
import type { Failure } from '../scenario.ts';
import { refuseAnthropic } from './anthropic.ts';
import { refuseGemini } from './gemini.ts';
import { refuseOpenai } from './openai.ts';

/** An HTTP error as the provider of this API would send it. */
export interface Refusal {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body: object;
}

const refusals: { readonly [api in Api]: (failure: Failure, resetAt: number) => Refusal } = {
  anthropic: refuseAnthropic,
  openai: refuseOpenai,
  gemini: refuseGemini,
};

/** `resetAt`, in milliseconds since 1970, is told by the failures that know when it is over. */
export function refusal(api: Api, failure: Failure, resetAt: number): Refusal {
  return refusals[api](failure, resetAt);
}
