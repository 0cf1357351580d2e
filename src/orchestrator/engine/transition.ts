import { LoopwrightError, UsageError } from '../../kernel/errors.ts';
import type { ResolvedAction, ResolvedBlock, ResolvedTransition } from '../../manifest/resolved.ts';
import { FAIL_DEFAULT } from '../../manifest/worker.ts';

export type Choice =
  | { readonly matched: 'exact' | 'default'; readonly transition: ResolvedTransition }
  /** The table is empty: the run ends here. */
  | { readonly matched: 'none' };

/** No entry fits and there is no fallback: the run cannot continue. */
export class UnhandledSignalError extends LoopwrightError {}

/** A block names a worker that nobody registered. */
export class UnknownWorkerError extends UsageError {}

/** Exact equality first, then the block's own `SIGNAL:FAIL_DEFAULT`; of two equal entries the first counts. */
export function chooseTransition(block: ResolvedBlock, signal: string): Choice {
  if (block.transitions.length === 0) return { matched: 'none' };
  const exact = block.transitions.find((entry) => entry.on_signal === signal);
  if (exact) return { matched: 'exact', transition: exact };
  const fallback = block.transitions.find((entry) => entry.on_signal === FAIL_DEFAULT);
  if (fallback) return { matched: 'default', transition: fallback };
  throw new UnhandledSignalError(
    `Block ${block.id} emitted ${signal}, and its transitions handle only ${block.transitions.map((entry) => entry.on_signal).join(', ')}.`,
    { next: `Add a transition for ${signal} or for ${FAIL_DEFAULT} to ${block.id}.` },
  );
}

/** What a block does with a signal that a node called from it returned; undefined: it goes on where its CALL says. */
export function chooseReturn(block: ResolvedBlock | undefined, signal: string): ResolvedAction | undefined {
  const { returns = [] } = block ?? {};
  const exact = returns.find((entry) => entry.on_signal === signal);
  return (exact ?? returns.find((entry) => entry.on_signal === FAIL_DEFAULT))?.action;
}

export function handles(block: ResolvedBlock, signal: string): boolean {
  return block.transitions.some((entry) => entry.on_signal === signal);
}
