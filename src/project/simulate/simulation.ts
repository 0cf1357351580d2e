import { UsageError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { count } from '../../kernel/words.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { Worker, WorkerRegistry } from '../../manifest/worker.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { SessionManager } from '../../orchestrator/state/session-manager.ts';
import type { TrailEntry } from '../../orchestrator/state/session-state.ts';
import type { SessionStatus } from '../../orchestrator/state/status.ts';
import { checkBlocks, type Scenario } from './stubs.ts';

export interface Simulated {
  readonly manifest: ResolvedManifest;
  readonly status: SessionStatus;
  /** Why it halted or failed. */
  readonly reason: string | undefined;
  readonly trail: readonly TrailEntry[];
  /** Answers of the stub file that the run did not come to. */
  readonly unused: readonly string[];
  readonly json: object;
}

/** Runs a manifest in memory on the real engine, with a scripted answer in place of every worker. */
export async function runScenario(
  document: WorkflowManifest,
  scenario: Scenario,
  options: { readonly file: string; readonly config: JsonObject; readonly start?: string },
): Promise<Simulated> {
  const stubs = new Stubs(scenario, options.file, () => orchestrator.interrupt());
  const sessions = SessionManager.inMemory();
  const orchestrator = new Orchestrator(document, {
    workers: stubs.registry,
    sessions,
    config: options.config,
  });
  const { manifest } = orchestrator;
  checkBlocks(scenario, manifest, options.file);
  const start = options.start ?? scenario.start ?? Object.keys(manifest.nodes)[0] ?? '';
  try {
    await orchestrator.execute(start, {
      goal: scenario.goal ?? 'a simulation',
      inputs: scenario.inputs,
    });
  } catch (error) {
    // A failed session is a result like any other; what never became a session is not.
    if (orchestrator.sessionId === undefined) throw error;
  }
  if (stubs.exhausted) throw stubs.exhausted;
  const { state } = sessions.load(orchestrator.sessionId ?? '');
  const { status, halt, error } = state;
  const trail = state.trail.toArray();
  const reason = halt?.message ?? error?.message;
  const unused = stubs.unused();
  return { manifest, status, reason, trail, unused, json: { status, halt, error, trail, unused } };
}

/** One stub stands for every worker; it tells the blocks apart by the metadata of the step. */
class Stubs {
  exhausted: UsageError | undefined;
  readonly registry: WorkerRegistry;
  readonly #visits = new Map<string, number>();
  readonly #answers: Scenario['blocks'];

  constructor(scenario: Scenario, file: string, giveUp: () => void) {
    this.#answers = scenario.blocks;
    const stub: Worker = {
      run: async (context, run) => {
        const block = context.system_metadata.block_id;
        const visit = (this.#visits.get(block) ?? 0) + 1;
        this.#visits.set(block, visit);
        const answer = scenario.blocks[block]?.[visit - 1];
        if (!answer) {
          // The engine would give a thrown error to the block's fallback and continue: this must end the run.
          this.exhausted = noAnswer(file, block, visit);
          giveUp();
          return { signal: 'SIGNAL:FAILURE', new_payload: context.execution_payload };
        }
        const added = answer.segments.map(({ type, content, extra }) => run.segment(type, content, extra));
        return { signal: answer.signal, new_payload: [...context.execution_payload, ...added] };
      },
    };
    this.registry = { get: () => stub };
  }

  unused(): string[] {
    return Object.entries(this.#answers).flatMap(([block, answers]) => {
      const visits = this.#visits.get(block) ?? 0;
      const left = answers.length - visits;
      return left > 0 ? [`${block}: ${left} of ${count(answers.length, 'answer')} not used`] : [];
    });
  }
}

function noAnswer(file: string, block: string, visit: number): UsageError {
  return new UsageError(`${file} has no answer for visit ${visit} of ${block}.`, {
    next: `Add an entry to "blocks"."${block}": the run came there ${visit === 1 ? 'once' : `${visit} times`}.`,
  });
}
