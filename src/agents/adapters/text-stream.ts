import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { AgentConversation, AgentStream } from '../adapter.ts';
import type { AgentError, AgentEvent } from '../event.ts';
import type { RunnerEnd } from '../runner/runner.ts';
import { resetTime } from './reset/reset-time.ts';
import type { StreamContext } from './stream/context.ts';
import { LastWords } from './stream/last-words.ts';
import { errorInWords } from './stream/own-words.ts';

/**
 * A CLI that only prints words. Its exit code is its result, unless a line matches one of the definition's error
 * patterns: that is believed whatever the exit code, so such a pattern must be as narrow as the CLI's own words.
 */
export class TextStream implements AgentStream {
  readonly conversation: AgentConversation | undefined;
  readonly #clock: Clock;
  readonly #errors: readonly { readonly pattern: RegExp; readonly kind: AgentError['kind'] }[];
  readonly #words = { said: new LastWords(), errors: new LastWords() };
  #said = '';
  #failed = false;

  constructor(context: StreamContext) {
    this.conversation = context.resume;
    this.#clock = context.clock ?? systemClock;
    this.#errors = (context.errors ?? []).map(({ pattern, kind }) => ({
      kind,
      pattern: new RegExp(pattern, 'iu'),
    }));
  }

  push(line: string, from: 'stdout' | 'stderr'): readonly AgentEvent[] {
    this.#words[from === 'stderr' ? 'errors' : 'said'].add(line);
    const found = this.#errors.find(({ pattern }) => pattern.test(line));
    const errors = found && !this.#failed ? [this.#error(found.kind, line.trim())] : [];
    if (found) this.#failed = true;
    if (from === 'stderr' || line.trim() === '') return errors;
    this.#said = line;
    return [...errors, { type: 'text', text: line }];
  }

  end(end: RunnerEnd): readonly AgentEvent[] {
    const ok = end.kind === 'exited' && end.code === 0 && !this.#failed;
    const unexplained = !ok && !this.#failed && end.kind !== 'stopped' && end.kind !== 'given-up';
    return [...(unexplained ? [this.#cause(end)] : []), { type: 'result', ok, text: this.#said }];
  }

  #cause(end: RunnerEnd): AgentError {
    const { said, errors } = this.#words;
    return errorInWords({ said: said.lines, errors: errors.lines }, ended(end), this.#clock.now());
  }

  #error(kind: AgentError['kind'], message: string): AgentError {
    const resetAt = kind === 'quota' ? resetTime(message, this.#clock.now()) : undefined;
    return { type: 'error', kind, message, ...(resetAt === undefined ? {} : { resetAt }) };
  }
}

function ended(end: RunnerEnd): string {
  return end.kind === 'exited' ? `The agent ended with exit code ${end.code}` : `The agent was ${end.kind}`;
}
