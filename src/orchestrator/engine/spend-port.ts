import type { Usage } from '../../manifest/worker.ts';

/** What all sessions of a project together may use is used up. */
export interface CapReached {
  readonly message: string;
  /** When there is more; absent: when a person says so. */
  readonly until?: number;
  /** What a person would have to let this day use more. */
  readonly raise?: { readonly unit: string; readonly more: number };
}

/** Counts what is used over all sessions of a project. */
export interface SpendPort {
  /** Says when a cap is reached by it, or reached by others meanwhile. `near` is told once, before that. */
  used(run: string, usage: Usage, near: (message: string) => void): Promise<CapReached | undefined>;
  /** As far as it is known: before another block is begun. */
  reached(): CapReached | undefined;
}
