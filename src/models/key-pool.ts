import type { ModelError } from './model-error.ts';
import type { ModelKey, Provider } from './provider.ts';

/** What is known of a key: it rests until a time, or it was turned away for good. */
export interface KeyState {
  readonly restsUntil?: number;
  /** Which value was turned away: a new one under the same name is tried again. */
  readonly refused?: string;
  readonly why?: string;
}

/** How long a key rests that was turned away for its rate, where nobody says how long. */
const REST_MS = 60_000;

export function keyId({ name: provider }: Pick<Provider, 'name'>, { name }: Pick<ModelKey, 'name'>): string {
  return `${provider}/${name}`;
}

export type Picked =
  | { readonly key: ModelKey; readonly nextTurn: number }
  /** `until`: when the first of them can be used again; absent: waiting does not help. */
  | { readonly none: string; readonly until?: number };

/** The key whose turn it is, round robin over those that can be used. */
export function pickKey(
  provider: Provider,
  states: { readonly [id: string]: KeyState },
  { turn, now, digest }: { readonly turn: number; readonly now: number; readonly digest: Digest },
): Picked {
  const { keys, name } = provider;
  const inOrder = [...keys.slice(turn % keys.length), ...keys.slice(0, turn % keys.length)];
  const state = (key: ModelKey) => states[keyId(provider, key)] ?? {};
  const isOut = (key: ModelKey) => state(key).refused === digest(key.value);
  const usable = inOrder.findIndex((key) => !isOut(key) && (state(key).restsUntil ?? 0) <= now);
  const key = inOrder[usable];
  if (key) return { key, nextTurn: (turn + usable + 1) % keys.length };
  if (keys.length === 0) return { none: `there is no key for ${name}` };
  const rests = keys.filter((each) => !isOut(each)).map((each) => state(each).restsUntil ?? now);
  if (rests.length === 0) return { none: `every key for ${name} was turned away` };
  return { none: `every key for ${name} is at its limit`, until: Math.min(...rests) };
}

type Digest = (value: string) => string;

/** What an error says about the key of the call; undefined: nothing. */
export function stateAfter(
  key: ModelKey,
  { kind, resetAt, message }: ModelError,
  { now, digest }: { readonly now: number; readonly digest: Digest },
): KeyState | undefined {
  if (kind === 'auth') return { refused: digest(key.value), why: message };
  if (kind !== 'quota') return undefined;
  return { restsUntil: resetAt !== undefined && resetAt > now ? resetAt : now + REST_MS, why: message };
}
