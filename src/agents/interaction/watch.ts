import type { ScreenPatterns } from '../adapter.ts';
import { Tail } from '../output/tail.ts';
import { type Recognised, recognise } from './question.ts';

/** What is looked at for questions: a rendered screen, or the end of plain text. */
export interface View {
  push(raw: string, clean: string): void;
  text(): Promise<string> | string;
  /** Forgets what stands there now, so that only what is written later is seen. */
  blank(): void;
}

export interface WatchOptions {
  readonly view: View;
  readonly patterns: ScreenPatterns;
  /** How long the output must be quiet: a screen in the middle of painting says nothing. */
  readonly quietMs: number;
  readonly onQuestion: (question: Recognised, screen: string) => void;
  /** The question went away without an answer of ours. */
  readonly onGone: () => void;
}

/**
 * Looks for questions in moments of quiet. Invariants:
 * 1. A question that stands is reported once, however often it is painted.
 * 2. After an answer only what was painted since is looked at, so the same question again is a new one, and the old
 *    one that is still to be read above is none.
 */
export class QuestionWatch {
  readonly #options: WatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #standing: string | undefined;
  #answers = 0;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  push(raw: string, clean: string): void {
    this.#options.view.push(raw, clean);
    if (this.#closed) return;
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => void this.#look(), this.#options.quietMs);
  }

  answered(): void {
    this.#answers++;
    this.#standing = undefined;
    this.#options.view.blank();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { view, patterns, onQuestion, onGone } = this.#options;
    const answers = this.#answers;
    const text = await view.text();
    // What was answered while the screen was being rendered is no longer a question.
    if (this.#closed || answers !== this.#answers) return;
    const found = recognise(patterns, text);
    const key = found && JSON.stringify([found.name, found.question, found.choices]);
    const before = this.#standing;
    this.#standing = key;
    if (found && key !== before) onQuestion(found, text);
    else if (!found && before !== undefined) onGone();
  }
}

/** How much of the end is looked at. */
const LOOKED_AT = 4096;

/** The end of what a program printed that does not paint. */
export class TextView implements View {
  readonly #tail = new Tail(LOOKED_AT);

  push(_raw: string, clean: string): void {
    this.#tail.push(clean);
  }

  text(): string {
    const lines = this.#tail.readLines().split('\n');
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  blank(): void {
    this.#tail.clear();
  }
}
