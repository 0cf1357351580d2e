import { parseModelName } from '../manifest/model-name.ts';
import type { CallEnd, CallListener, ModelRequest } from './call.ts';
import { callModel } from './call-model.ts';
import { pickKey, stateAfter } from './key-pool.ts';
import { type KeyStore, keyDigest } from './key-store.ts';
import type { ModelError } from './model-error.ts';
import type { FindProvider, Provider } from './provider.ts';

export interface ModelServices {
  /** Of the providers that are known. */
  readonly names: readonly string[];
  readonly find: FindProvider;
  /** How a person gives it a key; half a sentence. */
  readonly login: (provider: string) => string;
  readonly keys: KeyStore;
  readonly now: () => number;
  readonly cancel: AbortSignal;
  /** Told of every call, with the name of its key. */
  readonly called: (call: MadeCall) => void;
}

export interface MadeCall {
  readonly model: string;
  readonly key: string;
  readonly at: number;
  readonly end: CallEnd;
}

export type Asked =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: ModelError };

/** A stream that broke off or made no sense is asked for once more. */
const SECOND_TRIES = 1;

/** Whose turn it is, of each provider, in this process. */
const turns = new Map<string, number>();

/**
 * Asks a model with one key after the other: a key at its limit rests, one that is turned away is out, and the next one
 * takes over. Any other error ends it.
 */
export async function askModel(
  name: string,
  request: ModelRequest,
  listener: CallListener,
  services: ModelServices,
): Promise<Asked> {
  const known = parseModelName(name);
  const provider = known && (await services.find(known.provider));
  if (!known || !provider) return { ok: false, error: unknownModel(name, known?.provider) };
  let last: ModelError | undefined;
  for (let again = 0; ; ) {
    const picked = nextKey(provider, services);
    if ('none' in picked) return { ok: false, error: noKey(picked, last) };
    const { key } = picked;
    const at = services.now();
    const end = await callModel({ provider, key, model: known.model }, request, listener, services);
    services.called({ model: name, key: key.name, at, end });
    if (end.ok) return { ok: true, text: end.text };
    last = end.error;
    const state = stateAfter(key, last, { now: services.now(), digest: keyDigest });
    if (state) services.keys.write(provider, key, state);
    else if ((last.kind !== 'cut' && last.kind !== 'malformed') || again++ >= SECOND_TRIES)
      return { ok: false, error: last };
  }
}

function nextKey(provider: Provider, { keys, now }: ModelServices) {
  const turn = turns.get(provider.name) ?? 0;
  const picked = pickKey(provider, keys.read(provider), { turn, now: now(), digest: keyDigest });
  if ('key' in picked) turns.set(provider.name, picked.nextTurn);
  return picked;
}

/** What the last key heard says more than that it was the last. */
function noKey(
  { none, until }: { readonly none: string; readonly until?: number },
  last?: ModelError,
): ModelError {
  const message = last ? `${none}; the last one was told: ${last.message}` : none;
  return until === undefined ? { kind: 'auth', message } : { kind: 'quota', message, resetAt: until };
}

function unknownModel(name: string, provider: string | undefined): ModelError {
  const message =
    provider === undefined
      ? `"${name}" names no model: it must be written as provider/model`
      : `nobody here knows the provider "${provider}"`;
  return { kind: 'unknown-model', message };
}
