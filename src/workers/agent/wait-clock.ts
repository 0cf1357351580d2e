import type { WorkerRun } from '../../manifest/worker.ts';

/** Stops the clock of a step while every agent that runs in it waits for a person. */
export class WaitClock {
  readonly #run: Pick<WorkerRun, 'stopClock'>;
  #running = 0;
  #waiting = 0;
  #goOn: (() => void) | undefined;

  constructor(run: Pick<WorkerRun, 'stopClock'>) {
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

  waits(): void {
    this.#waiting++;
    this.#settle();
  }

  goesOn(): void {
    this.#waiting--;
    this.#settle();
  }

  #settle(): void {
    const stands = this.#running > 0 && this.#waiting === this.#running;
    if (stands) this.#goOn ??= this.#run.stopClock();
    else {
      this.#goOn?.();
      this.#goOn = undefined;
    }
  }
}
