import type { JsonObject } from '../../kernel/json.ts';
import type { Masker } from '../../kernel/mask.ts';
import { maskJson } from '../../kernel/mask-json.ts';
import type { AgentStream, IAgentAdapter } from '../adapter.ts';
import type { AgentQuestion } from '../event.ts';
import type { Interaction } from '../runner/runner.ts';
import { interactionOf } from './adapter-signal.ts';
import { type OpenQuestion, OpenQuestions } from './open-questions.ts';
import type { Recognised } from './recognise.ts';
import { replyTo } from './reply.ts';
import { QuestionWatch, type View } from './watch.ts';

export interface InteractionsOptions {
  readonly adapter: IAgentAdapter;
  readonly masker: Masker;
  readonly stream: AgentStream | undefined;
  /** What is looked at where there is no stream. */
  readonly view: View;
  readonly quietMs: number;
  readonly tell: (interaction: Interaction) => void;
  readonly onWaiting: (waiting: boolean) => void;
}

/** What to do with an answer: `write` it as it is, or `submit` it as a person does with a typed line. */
export type Answer = { readonly by: 'write' | 'submit'; readonly text: string };

/** Everything about a run that waits for a person, from wherever it is known. */
export class Interactions {
  readonly #options: InteractionsOptions;
  readonly #open: OpenQuestions;
  readonly #watch: QuestionWatch | undefined;
  readonly #unsubscribe: (() => void) | undefined;

  constructor(options: InteractionsOptions) {
    const { adapter, stream, view, quietMs, onWaiting } = options;
    this.#options = options;
    this.#open = new OpenQuestions(onWaiting);
    if (adapter.screen && !stream) {
      this.#watch = new QuestionWatch({
        view,
        patterns: adapter.screen,
        quietMs,
        onQuestion: (found, screen) => this.#seen(found, screen),
        onGone: () => this.#open.drop('screen'),
      });
    }
    this.#unsubscribe = adapter.signals?.subscribe((signal) => {
      const interaction = interactionOf(signal);
      if (!interaction) return;
      this.#open.add({ source: 'adapter' });
      this.#tell(interaction);
    });
  }

  heard(raw: string, clean: string): void {
    this.#watch?.push(raw, clean);
  }

  asked({ id, question, choices }: AgentQuestion): void {
    this.#open.add({ source: 'stream', id });
    this.#tell({ type: 'interaction', source: 'stream', question, choices, payload: { id } });
  }

  /** Throws, and leaves the question open, where the answer does not fit it. */
  answer(text: string): Answer {
    const answer = this.#answerTo(this.#open.oldest, text);
    this.#open.dropOldest();
    this.#watch?.answered();
    return answer;
  }

  /** Something was written past us: whatever was asked may be answered with it. */
  sent(): void {
    this.#open.clear();
    this.#watch?.answered();
  }

  close(): void {
    this.#watch?.close();
    this.#unsubscribe?.();
  }

  #answerTo(question: OpenQuestion | undefined, text: string): Answer {
    if (!question) return { by: 'write', text };
    const reply = question.source === 'stream' && this.#options.stream?.answer?.(question.id, text);
    if (typeof reply === 'string') return { by: 'write', text: reply };
    const typed = replyTo(question.source === 'screen' ? question.question : undefined, text);
    return { by: typed.enter ? 'submit' : 'write', text: typed.text };
  }

  #seen({ name, question, choices, menu }: Recognised, screen: string): void {
    this.#open.add({ source: 'screen', question: { question, choices, menu } });
    this.#tell({
      type: 'interaction',
      source: 'screen',
      question,
      choices,
      payload: { state: name, screen },
    });
  }

  #tell(interaction: Interaction): void {
    // An interaction is plain data, which an interface cannot say of itself.
    const data = interaction as unknown as JsonObject;
    this.#options.tell(maskJson(this.#options.masker, data) as unknown as Interaction);
  }
}
