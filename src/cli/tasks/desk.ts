import type { JsonEvent } from '../../api/events.ts';
import { foldEvent, NOT_STARTED } from '../../api/live.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import { askQuestion } from '../ask.ts';
import type { Display } from '../display/display.ts';
import type { Screen } from '../output.ts';

interface Asked {
  readonly task: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** Which question of its task it is. */
  readonly asked: number;
  /** Fires when the question no longer needs an answer: answered elsewhere, or its agent has ended. */
  readonly over: AbortController;
}

/**
 * Puts the questions of agents to the person at this terminal, one after the other, once nobody is working:
 * until then the display shows them beside those at work, with the command that answers.
 */
export class QuestionDesk {
  readonly #screen: Screen;
  readonly #display: Display;
  readonly #send: (task: string, text: string) => void;
  readonly #stop: AbortSignal;
  readonly #open = new Map<string, Asked>();
  #live = NOT_STARTED;
  #busy = false;

  constructor(
    screen: Screen,
    display: Display,
    options: { readonly send: (task: string, text: string) => void; readonly stop: AbortSignal },
  ) {
    this.#screen = screen;
    this.#display = display;
    this.#send = options.send;
    this.#stop = options.stop;
  }

  event(event: JsonEvent): void {
    if (event.type === 'task.output' || event.type === 'step.output') return;
    this.#live = foldEvent(this.#live, event, 0);
    if (event.type !== 'task.interaction' && event.type !== 'task.status') return;
    const { tasks } = this.#live;
    const task = tasks.find(({ id }) => id === event.task);
    const open = this.#open.get(event.task);
    if (open && (task?.question === null || task?.asked !== open.asked)) {
      open.over.abort();
      this.#open.delete(open.task);
    }
    if (event.type === 'task.interaction' && task) {
      const { question, choices } = event;
      const over = new AbortController();
      this.#open.set(task.id, { task: task.id, question, choices, asked: task.asked, over });
    }
    if (!tasks.some(({ status }) => status === 'RUNNING')) void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let [next] = this.#open.values(); next && !this.#stop.aborted; [next] = this.#open.values()) {
      await this.#put(next);
      if (this.#open.get(next.task) === next) this.#open.delete(next.task);
    }
    this.#busy = false;
  }

  async #put({ task, question, choices, over }: Asked): Promise<void> {
    this.#display.pause();
    const stop = AbortSignal.any([this.#stop, over.signal]);
    const answer = await askQuestion(this.#screen, { question: `${task}: ${question}`, choices }, stop);
    try {
      if (answer !== undefined && !stop.aborted) this.#send(task, answer);
    } catch (error) {
      // It ended between the question and the answer: its status says so already.
      if (!(error instanceof LoopwrightError)) throw error;
    } finally {
      this.#display.resume();
    }
  }
}
