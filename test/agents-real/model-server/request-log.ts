import type { TokenCount } from '../../../src/agents/event.ts';
import { PER_ANSWER } from './answer.ts';

/** One call of a model by a CLI. */
export interface ModelCall {
  readonly model: string;
  readonly tools: readonly string[];
  /** What the person said in the conversation so far. */
  readonly prompts: readonly string[];
  /** The tool that the model called in its answer. */
  readonly tool: string | undefined;
  /** A number is the HTTP status of a refusal. */
  readonly outcome: 'answer' | 'silence' | number;
  /** When the refusal said that it would be over, in milliseconds since 1970. */
  readonly resetAt?: number;
}

export class RequestLog {
  readonly #calls = new Map<string, ModelCall[]>();
  readonly #waiting = new Set<() => void>();

  add(run: string, call: ModelCall): void {
    this.#calls.set(run, [...this.of(run), call]);
    for (const look of this.#waiting) look();
  }

  of(run: string): readonly ModelCall[] {
    return this.#calls.get(run) ?? [];
  }

  /** What the server counted for a run; the CLI's own count should be the same. */
  usage(run: string, counts: (call: ModelCall) => boolean = () => true): TokenCount {
    const answers = this.of(run).filter((call) => call.outcome === 'answer' && counts(call)).length;
    return {
      input: answers * PER_ANSWER.input,
      cached: answers * PER_ANSWER.cached,
      output: answers * PER_ANSWER.output,
    };
  }

  /** Resolves with the first such call of a run, also one that was made before. */
  async until(run: string, isIt: (call: ModelCall) => boolean): Promise<ModelCall> {
    return new Promise((resolve) => {
      const look = (): void => {
        const call = this.of(run).find(isIt);
        if (!call) return;
        this.#waiting.delete(look);
        resolve(call);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
