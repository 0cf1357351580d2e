import type { Interaction, Runner, RunnerEvent } from '../../agents/runner/runner.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { LiveTask } from '../../manifest/task.ts';
import type { WorkerRun } from '../../manifest/worker.ts';
import type { AgentTask } from './job.ts';
import { TypedLines } from './typed-lines.ts';
import type { WaitClock } from './wait-clock.ts';

/** Who ended it: the agent, a person who calls it done, or a person who stopped it. */
export type EndedBy = 'itself' | 'complete' | 'stop';

/** What is reported and recorded about a job while it runs, and how people reach it. */
export class RunningJob implements LiveTask {
  readonly id: string;
  readonly interactive: boolean;
  endedBy: EndedBy = 'itself';
  readonly #named: { readonly session: string; readonly stageTask: string };
  readonly #run: WorkerRun;
  readonly #job: AgentTask;
  readonly #runner: Runner;
  readonly #clock: WaitClock;
  readonly #mask: (text: string) => string;
  readonly #typed: TypedLines;
  #unreach: (() => void) | undefined;
  /** What it waits for. */
  #asks: Interaction | undefined;

  constructor(
    run: WorkerRun,
    job: AgentTask,
    runner: Runner,
    {
      session,
      clock,
      mask,
    }: { readonly session: string; readonly clock: WaitClock; readonly mask: (text: string) => string },
  ) {
    this.id = job.task;
    this.interactive = job.mode === 'interactive';
    this.#named = { session, stageTask: job.task };
    this.#run = run;
    this.#job = job;
    this.#runner = runner;
    this.#clock = clock;
    this.#mask = mask;
    this.#typed = new TypedLines((text) => this.#said('input', text));
  }

  started(process: ProcessIdentity): void {
    const { task, name, agent, mode, prompt } = this.#job;
    this.#run.progress({ type: 'task', task, status: 'RUNNING', process, agent, mode });
    if (prompt !== undefined) this.#said('prompt', prompt);
    this.#run.tell({ type: 'task.started', task, name, agent, mode });
    this.#clock.started();
    this.#unreach = this.#run.live(this);
  }

  heard(event: RunnerEvent): void {
    const { task } = this.#job;
    if (event.type === 'data') {
      this.#run.tell({ type: 'task.output', task, raw: event.raw, clean: event.clean });
      this.#run.output(event.clean);
    } else if (event.type === 'usage') {
      const { input, output } = event.tokens;
      const usage = { tokens: input + output, usd: event.usd ?? 0 };
      const unpriced = event.usd === undefined ? { unpriced: this.#job.agent } : {};
      this.#run.tell({ type: 'task.usage', task, usage, estimated: event.estimated });
      this.#run.usage({ ...usage, ...unpriced });
    } else if (event.type === 'interaction') this.#asked(event);
    else if (event.type === 'interaction.over') this.#answered();
    else if (event.type === 'agent') {
      this.#run.tell({ type: 'task.activity', task, event: { ...event.event } });
    }
  }

  send(text: string): void {
    this.#runner.send(text);
    this.#typed.add(text);
    // What is asked on a channel is answered on it, and typing is no answer.
    if (this.#asks?.source !== 'stream') this.#answered();
  }

  answer(text: string): void {
    if (!this.#asks) {
      throw new ConflictError(`Task "${this.id}" has not asked anything.`, {
        next: action('session.attach', 'Type into its terminal instead', this.#named),
      });
    }
    const chosen = this.#chosen(text);
    this.#runner.answer(chosen);
    this.#typed.add(`${chosen}\n`);
    this.#answered();
  }

  async complete(): Promise<void> {
    if (!this.interactive) {
      throw new ConflictError(`Task "${this.id}" is headless: it is done when its process ends.`, {
        next: action('session.stop', 'Wait for it, or end it', this.#named),
      });
    }
    this.endedBy = 'complete';
    await this.#runner.stop();
  }

  async stop(): Promise<void> {
    this.endedBy = 'stop';
    await this.#runner.stop();
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.#runner.resize(size);
  }

  screen(): Promise<string> {
    return this.#runner.screen();
  }

  close(): void {
    this.#typed.end();
    if (this.#asks) this.#clock.goesOn();
    if (this.#unreach) this.#clock.ended();
    this.#unreach?.();
  }

  #asked(interaction: Interaction): void {
    const { task } = this.#job;
    const { question, choices, payload } = interaction;
    const known = this.#run.answered?.(question);
    // One on a terminal waits for a person anyhow: it is typed into, and called done by one.
    const open = known === undefined && !this.interactive;
    if (!this.#asks) this.#clock.waits(open ? { question, ...choicesOf(choices) } : undefined);
    this.#asks = interaction;
    this.#run.progress({ type: 'task', task, status: 'WAITING_FOR_USER', question, choices: [...choices] });
    this.#run.tell({ type: 'task.interaction', task, question, choices, payload });
    // A person answered this before, when nobody had been there.
    if (known !== undefined) this.answer(known);
  }

  /** A typo must not become an answer: of choices, one must be meant. */
  #chosen(text: string): string {
    const said = text.trim().toLowerCase();
    // Of a menu on the screen the runner knows which keys it takes.
    const choices = this.#asks?.source === 'screen' ? [] : (this.#asks?.choices ?? []);
    const at = choices.findIndex(
      (choice, index) => choice.toLowerCase() === said || String(index + 1) === said,
    );
    if (choices.length === 0) return text;
    if (at >= 0) return choices[at] ?? text;
    const words = this.#asks?.payload['words'];
    if (Array.isArray(words) && words.includes(said)) return text;
    throw new UsageError(`"${text}" is not one of the choices.${didYouMean(text, choices)}`, {
      next: `Choose one of: ${choices.map((choice, index) => `${index + 1} ${choice}`).join(', ')}.`,
    });
  }

  #answered(): void {
    if (!this.#asks) return;
    this.#asks = undefined;
    this.#clock.goesOn();
    this.#run.progress({ type: 'task', task: this.#job.task, status: 'RUNNING' });
  }

  #said(said: 'prompt' | 'input', text: string): void {
    this.#run.progress({ type: 'said', task: this.#job.task, said, text: this.#mask(text), at: Date.now() });
  }
}

function choicesOf(choices: readonly string[]): { readonly choices?: readonly string[] } {
  return choices.length === 0 ? {} : { choices };
}
