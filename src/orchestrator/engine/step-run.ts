import { errorMessage, StorageError } from '../../kernel/errors.ts';
import { freezeJson, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import { readNotes } from '../../manifest/read-note.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { LiveTask, TaskEvent } from '../../manifest/task.ts';
import {
  type Continues,
  type Question,
  Suspended,
  type ToldUsage,
  type Usage,
  type WorkerRun,
} from '../../manifest/worker.ts';
import type { JournalRecord } from '../state/record.ts';
import type { Session } from '../state/session.ts';
import type { SessionManager } from '../state/session-manager.ts';
import type { SessionState, Used } from '../state/session-state.ts';
import { spentBudget } from './limits.ts';
import type { LiveTasks } from './live-tasks.ts';
import type { CapReached, SpendPort } from './spend-port.ts';
import type { StepControl } from './step-control.ts';
import type { TreePort } from './tree-port.ts';

export interface StepListener {
  tell(event: TaskEvent): void;
  output(text: string): void;
  progress(note: ProgressNote): void;
  usage(used: Usage, total: Used): void;
  /** Most of what all sessions together may use is used. */
  near(message: string): void;
}

export interface StepServices {
  readonly tree: TreePort;
  readonly live: LiveTasks;
  /** Whether another session went on with a conversation after one was forked from it. */
  readonly spend?: SpendPort | undefined;
  /** How long somebody is waited for who answers a running agent. */
  readonly questionsMs?: number | undefined;
  readonly wentOnWith: SessionManager['wentOnWith'];
}

/** What holds for the one block that is run. */
export interface BlockTerms {
  readonly sameTool: number;
  readonly checked: boolean;
}

/** What one worker may do while its step runs, bound to the session that owns the step. */
export class StepRun implements WorkerRun {
  readonly earlier: readonly ProgressNote[];
  readonly sameTool: number;
  readonly checked: boolean;
  readonly #session: Session;
  readonly #control: StepControl;
  readonly #listener: StepListener;
  readonly #step: number;
  readonly #services: StepServices;
  #segments = 0;
  #questions = 0;

  constructor(
    session: Session,
    control: StepControl,
    listener: StepListener,
    services: StepServices & BlockTerms,
  ) {
    this.#services = services;
    this.sameTool = services.sameTool;
    this.checked = services.checked;
    this.#session = session;
    this.#control = control;
    this.#listener = listener;
    this.#step = session.state.step + 1;
    this.earlier = session.state.notes.toArray();
  }

  get cancel(): AbortSignal {
    return this.#control.signal;
  }

  segment(type: string, content: JsonValue, extra: JsonObject = {}): ContextSegment {
    let id: string;
    do id = `${this.#step}.${++this.#segments}`;
    while (this.#session.state.history.knows(id));
    const segment = { ...extra, id, type, content };
    const reason = freezeJson(segment);
    if (reason !== undefined) throw new TypeError(`A ${type} segment cannot be stored: ${reason}.`);
    return segment;
  }

  output(text: string): void {
    if (!this.#control.ended) this.#listener.output(text);
  }

  usage({ unpriced, ...used }: ToldUsage): void {
    if (this.#control.ended) return;
    for (const [unit, amount] of Object.entries(used)) {
      if (!Number.isFinite(amount) || amount < 0)
        throw new TypeError(`A usage of ${amount} ${unit} cannot be counted.`);
    }
    const noted = this.#note({ t: 'usage', ...used });
    if (!noted) return;
    const { used: total, budget } = noted;
    this.#listener.usage(used, total);
    this.#spend(used);
    const spent = spentBudget({ ...budget, steps: Number.POSITIVE_INFINITY }, total);
    if (spent !== undefined) this.#control.stop({ kind: 'budget', message: spent });
    else if (unpriced !== undefined && budget.usd !== undefined)
      this.#control.stop({ kind: 'unpriced', agent: unpriced, usd: budget.usd });
  }

  /** What others used meanwhile counts as well, so it is asked for each time. */
  #spend(used: Usage): void {
    const { spend } = this.#services;
    if (!spend) return;
    const { id, task } = this.#session.state;
    const stop = (cap: CapReached | undefined) => {
      if (cap) this.#control.stop({ kind: 'cap', ...cap });
    };
    spend
      .used(task?.id ?? id, used, (message) => this.#listener.near(message))
      .then(stop, (error: unknown) => this.#control.stop({ kind: 'storage', error: asError(error) }));
  }

  progress(given: ProgressNote): void {
    if (this.#control.ended) return;
    // A worker that is not type-checked may leave the type out.
    for (const note of readNotes(given)) {
      if (this.#note({ t: 'progress', step: this.#step, note })) this.#listener.progress(note);
    }
  }

  tell(event: TaskEvent): void {
    if (!this.#control.ended) this.#listener.tell(event);
  }

  live(task: LiveTask): () => void {
    return this.#services.live.add(task);
  }

  async checkpoint(task: string): Promise<void> {
    const files = await this.#services.tree.save?.(this.#step, { task });
    if (files !== undefined) this.progress({ type: 'checkpoint', task, files });
  }

  stopClock(): () => void {
    return this.#control.wait();
  }

  get left(): { readonly usd?: number; readonly tokens?: number } {
    const { budget, used } = this.#session.state;
    return {
      ...(budget.usd === undefined ? {} : { usd: Math.max(0, budget.usd - used.usd) }),
      ...(budget.tokens === undefined ? {} : { tokens: Math.max(0, budget.tokens - used.tokens) }),
    };
  }

  get patienceMs(): number | undefined {
    return this.#services.questionsMs;
  }

  answered(question: string): string | undefined {
    return this.#session.state.answered.findLast((each) => each.question === question)?.answer;
  }

  giveUp(question: Question): void {
    this.#control.stop({ kind: 'question', question });
  }

  ask(question: Question): string {
    const answer = this.#session.state.answers[this.#questions++];
    if (answer !== undefined) return answer;
    throw new Suspended({ kind: 'question', question });
  }

  park(until: Date, reason: string, why: { readonly agent?: string } = {}): never {
    throw new Suspended({ kind: 'park', until: until.getTime(), reason, ...why });
  }

  continues(conversation: string): Continues {
    const { conversations, forkedFrom, createdAt } = this.#session.state;
    const may = Object.hasOwn(conversations, conversation) ? conversations[conversation] : undefined;
    if (may !== 'fork' || !forkedFrom) return may ?? 'yes';
    return this.#services.wentOnWith(conversation, forkedFrom, createdAt) ? 'no' : 'fork';
  }

  logFile(name: string): string | undefined {
    return this.#session.logFile(this.#step, name);
  }

  /**
   * Workers note things while output comes in, where nobody awaits them: a disk that refuses ends the step, and with
   * it the agent, instead of the process.
   */
  #note(record: JournalRecord): SessionState | undefined {
    try {
      return this.#session.note(record);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#control.stop({ kind: 'storage', error });
      return undefined;
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(errorMessage(error));
}
