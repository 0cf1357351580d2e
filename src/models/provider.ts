import type { ProviderKind } from '../config/providers.ts';

export type { ProviderKind } from '../config/providers.ts';

/** Who serves models, where, and the keys that open the door. */
export interface Provider {
  readonly name: string;
  readonly kind: ProviderKind;
  /** Absent: the provider's own address. */
  readonly baseUrl?: string;
  readonly keys: readonly ModelKey[];
}

export interface ModelKey {
  /** What it is called wherever it is shown: the variable it comes from. */
  readonly name: string;
  /** Never shown, stored or handed to a child. */
  readonly value: string;
}

/** Finds a provider with its keys, which may have to be asked for; undefined: nobody knows such a one. */
export type FindProvider = (name: string) => Promise<Provider | undefined>;
