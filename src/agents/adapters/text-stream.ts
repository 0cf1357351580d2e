import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { AgentConversation, AgentStream } from '../adapter.ts';
import type { AgentError, AgentEvent } from '../event.ts';
import type { RunnerEnd } from '../runner/runner.ts';
import type { StreamContext } from './stream/context.ts';
import { LastWords } from './stream/last-words.ts';
import { OwnErrors } from './stream/own-errors.ts';
import { errorInWords } from './stream/own-words.ts';
import { objectIn } from './stream/read-json.ts';
import { UsagePaths } from './stream/usage-paths.ts';

/** A CLI that only prints words. Its exit code is its result, unless the definition knows a line as an error. */
export class TextStream implements AgentStream {
  readonly conversation: AgentConversation | undefined;
  readonly #clock: Clock;
  readonly #errors: OwnErrors;
  readonly #usage: UsagePaths | undefined;
  readonly #words = { said: new LastWords(), errors: new LastWords() };
  #said = '';
  #failed = false;

  constructor(context: StreamContext) {
    this.conversation = context.resume;
    this.#clock = context.clock ?? systemClock;
    this.#errors = new OwnErrors(context.errors);
    this.#usage = context.usage && new UsagePaths(context.usage, context);
  }

  push(line: string, from: 'stdout' | 'stderr'): readonly AgentEvent[] {
    this.#words[from === 'stderr' ? 'errors' : 'said'].add(line);
    const found = this.#failed ? undefined : this.#errors.in(line, this.#clock.now());
    if (found) this.#failed = true;
    const message = from === 'stdout' && this.#usage ? objectIn(line) : undefined;
    const usage = message ? (this.#usage?.read(message) ?? []) : [];
    const told = [...usage, ...(found ? [found] : [])];
    // A line of figures is nothing that it says.
    if (from === 'stderr' || line.trim() === '' || usage.length > 0) return told;
    this.#said = line;
    return [...told, { type: 'text', text: line }];
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
}

function ended(end: RunnerEnd): string {
  return end.kind === 'exited' ? `The agent ended with exit code ${end.code}` : `The agent was ${end.kind}`;
}
