import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import { readPlainIfThere } from '../process/plain-file.ts';
import { type KeyState, keyId } from './key-pool.ts';
import type { ModelKey, Provider } from './provider.ts';

/** What is remembered of keys between calls, sessions and processes. Nothing in it tells a key's value. */
export interface KeyStore {
  read(provider: Provider): { readonly [id: string]: KeyState };
  write(provider: Provider, key: ModelKey, state: KeyState): void;
}

/** One small file per key: whoever writes last has heard last. */
export class KeyFiles implements KeyStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(provider: Provider): { readonly [id: string]: KeyState } {
    const states = provider.keys.map((key) => [keyId(provider, key), this.#state(provider, key)] as const);
    return Object.fromEntries(states);
  }

  write(provider: Provider, key: ModelKey, state: KeyState): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#file(provider, key);
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
  }

  #state(provider: Provider, key: ModelKey): KeyState {
    const text = readPlainIfThere(this.#file(provider, key));
    return text === undefined ? {} : readState(text);
  }

  #file(provider: Provider, key: ModelKey): string {
    return join(this.#folder, `${keyId(provider, key).replace(/[^\w.-]/g, '_')}.json`);
  }
}

/** Tells one value from another without telling the value. */
export function keyDigest(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 12);
}

/** A file that says nothing we know costs one call that is refused, no more. */
function readState(text: string): KeyState {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return {};
  }
  if (!isJsonObject(value)) return {};
  const { restsUntil, refused, why } = value;
  return {
    ...(typeof restsUntil === 'number' ? { restsUntil } : {}),
    ...(typeof refused === 'string' ? { refused } : {}),
    ...(typeof why === 'string' ? { why } : {}),
  };
}
