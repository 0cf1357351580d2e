import type { ResolvedBlock } from './resolved.ts';

/** What an answer of an agent, a model or a program may decide. */
export interface ReplyTerms {
  /** The block asks for JSON: an answer that is nothing but JSON is read as such, any other one is text. */
  readonly structured: boolean;
  /** The signals that the answer may choose. */
  readonly signals: readonly string[];
}

const ORDINARY = ['SIGNAL:SUCCESS', 'SIGNAL:FAILURE'];

/** Signals that say what the engine saw; nobody else can emit them. */
const RESERVED_SIGNALS: ReadonlySet<string> = new Set([
  'SIGNAL:FAIL_DEFAULT',
  'SIGNAL:LIMIT_REACHED',
  'SIGNAL:TIMED_OUT',
  'SIGNAL:VALIDATION_FAIL',
]);

/**
 * A block asks for a structured reply by saying so, or by transitions that only a reply can choose.
 * A signal that the block does not list could choose nothing but its fallback, so it is refused.
 */
export function replyTerms(block: Pick<ResolvedBlock, 'reply' | 'transitions' | 'signalFrom'>): ReplyTerms {
  const listed = block.transitions.map(({ on_signal }) => on_signal);
  const chosen = listed.filter((signal) => !RESERVED_SIGNALS.has(signal) && !ORDINARY.includes(signal));
  // With `signalFrom` the validated output chooses the way, not the reply.
  const implied = chosen.length > 0 && block.signalFrom === undefined;
  const structured = block.reply === undefined ? implied : block.reply === 'structured';
  return { structured, signals: [...ORDINARY, ...chosen] };
}
