import type { LanguageModel } from 'ai';
import type { ModelKey, Provider, ProviderKind } from './provider.ts';

type Make = (provider: Provider, apiKey: string, model: string) => Promise<LanguageModel>;

/** Each loads its package when the first model of its kind is called. */
const MAKERS: { readonly [K in ProviderKind]: Make } = {
  anthropic: async (provider, apiKey, model) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ apiKey, ...address(provider) })(model);
  },
  openai: async (provider, apiKey, model) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey, ...address(provider) }).responses(model);
  },
  google: async (provider, apiKey, model) => {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ apiKey, ...address(provider) })(model);
  },
  'openai-compatible': async ({ name, baseUrl = '' }, apiKey, model) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({ name, apiKey, baseURL: baseUrl, includeUsage: true })(model);
  },
};

export function languageModel(provider: Provider, key: ModelKey, model: string): Promise<LanguageModel> {
  return MAKERS[provider.kind](provider, key.value, model);
}

function address({ baseUrl }: Provider): { readonly baseURL?: string } {
  return baseUrl === undefined ? {} : { baseURL: baseUrl };
}
