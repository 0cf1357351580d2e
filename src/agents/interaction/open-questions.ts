import type { Interaction } from '../runner/runner.ts';
import type { ScreenQuestion } from './question.ts';

/** A question that nobody has answered yet, with what its answer depends on. */
export type OpenQuestion = { readonly interaction: Interaction } & (
  | { readonly source: 'stream'; readonly id: string }
  | { readonly source: 'screen'; readonly question: ScreenQuestion }
  | { readonly source: 'adapter' }
);

/** The questions of a run that wait for a person, oldest first. */
export class OpenQuestions {
  readonly #onWaiting: (waiting: boolean) => void;
  #open: OpenQuestion[] = [];

  constructor(onWaiting: (waiting: boolean) => void) {
    this.#onWaiting = onWaiting;
  }

  add(question: OpenQuestion): void {
    // What a screen shows, or an adapter says about the whole run, replaces what either said before.
    const isKept = ({ source }: OpenQuestion) => source === 'stream' || question.source === 'stream';
    this.#change([...this.#open.filter(isKept), question]);
  }

  get oldest(): OpenQuestion | undefined {
    return this.#open[0];
  }

  dropOldest(): void {
    this.#change(this.#open.slice(1));
  }

  drop(isGone: (question: OpenQuestion) => boolean): void {
    this.#change(this.#open.filter((question) => !isGone(question)));
  }

  #change(open: OpenQuestion[]): void {
    const before = this.#open.length > 0;
    this.#open = open;
    const waiting = open.length > 0;
    if (waiting !== before) this.#onWaiting(waiting);
  }
}
