import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { Masker } from '../../kernel/mask.ts';
import { maskJson } from '../../kernel/mask-json.ts';
import type { AdapterSignal, AgentStream, IAgentAdapter } from '../adapter.ts';
import type { AgentQuestion } from '../event.ts';
import type { Interaction } from '../runner/runner.ts';
import { type OpenQuestion, OpenQuestions } from './open-questions.ts';
import type { Recognised } from './question.ts';
import { replyTo } from './reply.ts';
import { QuestionWatch, type View } from './watch.ts';

export interface InteractionsOptions {
  readonly adapter: IAgentAdapter;
  readonly masker: Masker;
  readonly stream: AgentStream | undefined;
  /** What is looked at where there is no stream. */
  readonly view: View;
  readonly quietMs: number;
  readonly tell: (event: Interaction | { readonly type: 'interaction.over' }) => void;
  readonly onWaiting: (waiting: boolean) => void;
}

/** What to do with an answer: `write` it as it is, or `submit` it as a person does with a typed line. */
export type Answer = { readonly by: 'write' | 'submit'; readonly text: string };

/**
 * Everything about a run that waits for a person, from wherever it is known. Invariants:
 * 1. The question that is reported is the one that an answer goes to: the oldest. The next is reported when its turn comes.
 * 2. One that goes away without an answer is reported as over.
 */
export class Interactions {
  readonly #options: InteractionsOptions;
  readonly #open: OpenQuestions;
  readonly #watch: QuestionWatch | undefined;
  readonly #unsubscribe: (() => void) | undefined;
  #told: OpenQuestion | undefined;
  #closed = false;

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
        onGone: () => this.#gone(({ source }) => source === 'screen'),
      });
    }
    this.#unsubscribe = adapter.signals?.subscribe((signal) => {
      const interaction = interactionOf(signal);
      if (interaction) this.#add({ source: 'adapter', interaction });
    });
  }

  heard(raw: string, clean: string): void {
    this.#watch?.push(raw, clean);
  }

  asked({ id, question, choices, words }: AgentQuestion): void {
    const source = 'stream';
    this.#add({
      source,
      id,
      interaction: {
        type: 'interaction',
        source,
        question,
        choices,
        payload: { id, ...(words ? { words: [...words] } : {}) },
      },
    });
  }

  /** The agent no longer wants an answer. */
  withdrawn(id: string): void {
    this.#gone((question) => question.source === 'stream' && question.id === id);
  }

  /** Throws, and leaves the question open, where the answer does not fit it. */
  answer(text: string): Answer {
    const answer = this.#answerTo(this.#open.oldest, text);
    this.#open.dropOldest();
    this.#watch?.answered();
    this.#told = undefined;
    // The next one comes after this answer has gone out.
    queueMicrotask(() => this.#tellOldest());
    return answer;
  }

  /** Something was written past us: what was asked may be answered with it, but for what is asked on a channel. */
  sent(): void {
    if (this.#told?.source !== 'stream') this.#told = undefined;
    this.#open.drop(({ source }) => source !== 'stream');
    this.#watch?.answered();
  }

  close(): void {
    this.#closed = true;
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
    const source = 'screen';
    const payload = { state: name, screen };
    this.#add({
      source,
      question: { question, choices, menu },
      interaction: { type: 'interaction', source, question, choices, payload },
    });
  }

  #add(question: OpenQuestion): void {
    this.#open.add(question);
    this.#tellOldest();
  }

  #gone(isGone: (question: OpenQuestion) => boolean): void {
    this.#open.drop(isGone);
    if (this.#told && this.#open.oldest === undefined) {
      this.#told = undefined;
      this.#options.tell({ type: 'interaction.over' });
    }
    this.#tellOldest();
  }

  #tellOldest(): void {
    const { oldest } = this.#open;
    if (this.#closed || oldest === undefined || oldest === this.#told) return;
    this.#told = oldest;
    // An interaction is plain data, which an interface cannot say of itself.
    const data = oldest.interaction as unknown as JsonObject;
    this.#options.tell(maskJson(this.#options.masker, data) as unknown as Interaction);
  }
}

/** The interaction that an adapter's signal stands for; undefined where it says something else. */
function interactionOf(signal: AdapterSignal): Interaction | undefined {
  if (signal.type === 'state_changed' && !/interaction/i.test(signal.state)) return undefined;
  const payload: JsonObject =
    signal.type === 'state_changed' ? { ...signal.payload, state: signal.state } : signal.payload;
  const question = [payload['question'], payload['message'], payload['prompt']].find(isText) ?? '';
  const choices = payload['choices'];
  return {
    type: 'interaction',
    source: 'adapter',
    question,
    choices: Array.isArray(choices) ? choices.filter(isText) : [],
    payload,
  };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}
