import type { Question, WorkerRun } from '../../manifest/worker.ts';

type Run = Pick<WorkerRun, 'stopClock' | 'patienceMs' | 'giveUp'>;

/**
 * Stops the clock of a step while every agent that runs in it waits for a person. When nobody comes, the step ends
 * with the last question: those that could work on have done so by then.
 */
export class WaitClock {
  readonly #run: Run;
  #running = 0;
  #waiting = 0;
  #question: Question | undefined;
  #goOn: (() => void) | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  started(): void {
    this.#running++;
    this.#settle();
  }

  ended(): void {
    this.#running--;
    this.#settle();
  }

  waits(question?: Question): void {
    this.#waiting++;
    this.#question = question;
    this.#settle();
  }

  goesOn(): void {
    this.#waiting--;
    this.#settle();
  }

  #settle(): void {
    const stands = this.#running > 0 && this.#waiting === this.#running;
    if (stands) {
      this.#goOn ??= this.#run.stopClock();
      this.#waitForSomebody();
    } else {
      clearTimeout(this.#patience);
      this.#patience = undefined;
      this.#goOn?.();
      this.#goOn = undefined;
    }
  }

  #waitForSomebody(): void {
    const { patienceMs } = this.#run;
    const question = this.#question;
    if (patienceMs === undefined || question === undefined || this.#patience) return;
    this.#patience = setTimeout(() => this.#run.giveUp?.(question), Math.min(patienceMs, 2 ** 31 - 1));
  }
}
