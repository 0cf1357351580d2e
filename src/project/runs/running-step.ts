import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { EngineEvent } from '../../orchestrator/events.ts';
import type { StepMarker } from '../../process/child-env.ts';
import { killProcessTree } from '../../process/end-tree.ts';

/** Knows from the events which processes the running step has, for the moment when only killing them helps. */
export class RunningStep {
  #marker: StepMarker | undefined;
  #processes: ProcessIdentity[] = [];

  event(event: EngineEvent): void {
    if (event.type === 'step.started') {
      const { session_id: session, epoch, step } = event.context.system_metadata;
      this.#marker = { session, epoch, step };
      this.#processes = [];
    } else if (event.type === 'step.progressed') {
      if ('process' in event.note && event.note.process) this.#processes.push(event.note.process);
    } else if (event.type === 'step.finished') {
      this.#marker = undefined;
      this.#processes = [];
    }
  }

  /** At once and without a goodbye: whoever calls this does not live to wait for them. */
  kill(): void {
    for (const root of this.#processes) killProcessTree(root, this.#marker);
  }
}
