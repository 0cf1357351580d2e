import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AgentError, AgentEvent } from '../../event.ts';
import type { Failure } from '../stream/error-kind.ts';
import type { Retry } from '../stream/retry.ts';

/** In what the CLIs that speak ACP differ: the protocol has no word for it. */
export interface AcpTraits {
  /** Lines on standard error that it prints however well it goes. */
  readonly noise?: RegExp;
  /** Requests that want nothing: it lets an editor know what it has done by itself. */
  readonly tells?: readonly string[];
  /** The CLI's own name of a tool, from the first mention of a call. */
  toolName(call: JsonObject): string;
  /** A call of the model that it tries again, where it says so in words. */
  retry?(line: string): Retry | undefined;
  /** The same, where it stands in what the agent says. */
  retryIn?(said: string): Retry | undefined;
  error(failure: Failure, now: number): AgentError;
  /** A failed call of the model that the CLI tells as its last words, in a turn that ends well. */
  failureIn?(said: string, result: JsonObject): Failure | undefined;
  readonly count: AcpCount;
}

export interface AcpCount {
  /** What any update of the session tells of it. */
  updated(update: JsonObject): readonly AgentEvent[];
  /** What the run has used, when the prompt is answered, well or not. */
  ended(result: JsonObject): readonly AgentEvent[];
  readonly counted: AgentConversation['counted'];
}
