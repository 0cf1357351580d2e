import * as z from 'zod';
import { isSafeUrl, safeUrl } from './safe-url.ts';
import { strictObject } from './strict-object.ts';
import type { Environment } from './terminal.ts';

/** The protocols that models are spoken to in. */
export const PROVIDER_KINDS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

const text = z.string().min(1);

/** Who serves models. A person's own word only: a project that could say where a key is sent would have it. */
export const providerShape = strictObject({
  kind: z.enum(PROVIDER_KINDS).exactOptional(),
  baseUrl: safeUrl.exactOptional(),
  /** The variables that hold the keys. */
  keys: z.array(text).exactOptional(),
  /** Prints one key per line. */
  keyCommand: z.array(text).min(1).exactOptional(),
});

export interface ProviderSettings {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl?: string;
  readonly keys: readonly { readonly name: string; readonly value: string }[];
  readonly keyCommand?: readonly string[];
  /** The first that is looked at for a key. */
  readonly variable?: string;
}

type Named = { readonly [name: string]: z.infer<typeof providerShape> };

interface Usual {
  readonly keys: readonly string[];
  /** Where the provider is, for those who have it elsewhere; what the variable leaves out is added. */
  readonly address: string;
  readonly path: string;
}

const USUAL: { readonly [name: string]: Usual & { readonly kind: ProviderKind } } = {
  anthropic: { kind: 'anthropic', keys: ['ANTHROPIC_API_KEY'], address: 'ANTHROPIC_BASE_URL', path: '/v1' },
  openai: { kind: 'openai', keys: ['OPENAI_API_KEY'], address: 'OPENAI_BASE_URL', path: '' },
  google: {
    kind: 'google',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    address: 'GOOGLE_GEMINI_BASE_URL',
    path: '/v1beta',
  },
};

/** `ANTHROPIC_API_KEY`, then `ANTHROPIC_API_KEY_2` up to here. */
const MOST_KEYS = 9;

/** Everybody who can be asked for a model here, with the keys that the environment holds. */
export function providerSettings(env: Environment, own: Named = {}): ProviderSettings[] {
  const names = [...new Set([...Object.keys(USUAL), ...Object.keys(own)])];
  return names.map((name) => {
    const usual = USUAL[name];
    const { kind, baseUrl, keys, keyCommand } = own[name] ?? {};
    const address = baseUrl ?? (usual && usualAddress(usual, env));
    const named = keys ?? (usual?.keys ?? []).flatMap(numbered);
    return {
      name,
      kind: kind ?? usual?.kind ?? 'openai-compatible',
      ...(address === undefined ? {} : { baseUrl: address }),
      ...(named[0] === undefined ? {} : { variable: named[0] }),
      keys: named.flatMap((variable) => {
        const value = env[variable]?.trim() ?? '';
        return value === '' ? [] : [{ name: variable, value }];
      }),
      ...(keyCommand === undefined ? {} : { keyCommand }),
    };
  });
}

/** How a person gives a provider a key. */
export function keyAdvice(providers: readonly ProviderSettings[], name: string): string {
  const { variable } = providers.find((each) => each.name === name) ?? {};
  return variable === undefined
    ? `name the variables with its keys in your settings, under providers.${name}.keys`
    : `set ${variable}`;
}

/** Variables that hold keys for us alone: no child is given them. The provider's usual one belongs to its CLI, too. */
export function poolVariables(own: Named = {}): ReadonlySet<string> {
  const usual = new Set(Object.values(USUAL).flatMap(({ keys }) => keys));
  const listed = Object.values(own).flatMap(({ keys = [] }) => keys);
  return new Set([...[...usual].flatMap(numbered), ...listed].filter((name) => !usual.has(name)));
}

function numbered(variable: string): string[] {
  return [variable, ...Array.from({ length: MOST_KEYS - 1 }, (_, i) => `${variable}_${i + 2}`)];
}

function usualAddress({ address, path }: Usual, env: Environment): string | undefined {
  const said = env[address]?.trim().replace(/\/+$/, '') ?? '';
  if (said === '' || !isSafeUrl(said)) return undefined;
  return said.endsWith(path) ? said : `${said}${path}`;
}
