import { readFileSync } from 'node:fs';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import type { Release } from '../../src/backlog/release.ts';
import type { TaskDraft } from '../../src/backlog/task.ts';
import { isJsonObject } from '../../src/kernel/json.ts';
import type { ManifestBody } from '../../src/manifest/definition.ts';
import type { WorkerFunction } from '../../src/manifest/worker.ts';
import { runTask, type TaskRuntime } from '../../src/tasks/run-task.ts';
import type { TreeChanges } from '../../src/verification/task-tree.ts';
import type { RuntimeLab } from './lab.ts';

export function shippedFlow(name: string): ManifestBody {
  return JSON.parse(
    readFileSync(new URL(`../../workflows/${name}.json`, import.meta.url), 'utf8'),
  ) as ManifestBody;
}

export const CHANGED: TreeChanges = { changed: ['src/a.js'], added: [], removed: [] };
export const NOTHING: TreeChanges = { changed: [], added: [], removed: [] };

export interface Played {
  readonly release: Release | undefined;
  /** Names of the blocks that ran, without their nodes. */
  readonly blocks: readonly string[];
  readonly sessionId: string;
  readonly code: unknown;
  times(block: string): number;
}

export interface PlayOptions {
  readonly env?: Record<string, string>;
  readonly flow?: ManifestBody;
  readonly changes?: TreeChanges | (() => TreeChanges);
  readonly task?: Partial<TaskDraft>;
  /** What a model answers, whoever plays it. */
  readonly says?: string | ((block: string) => string);
}

/** One task through its shipped flow, in this process, with models that answer at once. */
export async function play(lab: RuntimeLab, options: PlayOptions): Promise<Played> {
  const { flow = shippedFlow('direct-task'), changes = CHANGED, says = 'done' } = options;
  const model: WorkerFunction = (context, run) => ({
    signal: 'SIGNAL:SUCCESS',
    new_payload: [
      ...context.execution_payload,
      run.segment(
        'MODEL_OUTPUT',
        typeof says === 'string' ? says : says(context.system_metadata.block_id.split('__')[1] ?? ''),
      ),
    ],
  });
  const players = Object.fromEntries(Object.keys(flow.workers ?? {}).map((name) => [name, model]));
  lab.events.length = 0;
  const id = await lab.add({ allowedPaths: ['src/**'], ...options.task });
  const claim = await lab.claim();
  const services: TaskRuntime['services'] = { workers: players, adapters: new AdapterRegistry() };
  const now = async () => (typeof changes === 'function' ? changes() : changes);
  const prepare = async () => {
    const prepared = lab.prepared();
    return { ...prepared, taskTree: { ...prepared.taskTree, changes: now } };
  };
  const runtime = lab.runtime(flow, { services, prepare }, { ...AUTOMATIC_OFF, ...options.env });
  const release = await runTask(runtime, claim, new AbortController().signal);
  const blocks = lab.events.flatMap((event) =>
    event.type === 'task.session' && event.event.type === 'step.started'
      ? [event.event.block.split('__')[1] ?? '']
      : [],
  );
  const times = (block: string) => blocks.filter((name) => name === block).length;
  const outcome = (await lab.outcome(id))?.['outcome'];
  const code = isJsonObject(outcome) ? outcome['code'] : undefined;
  return { release, blocks, sessionId: claim.sessionId, code, times };
}

const AUTOMATIC_OFF = { WORKER_AUTO_VERIFY_MODE: 'off' };

/** The program of a check; it fails in other words each time, so that no two failures are the same. */
export const NEW_WORDS = `
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync('words', 'x');
console.error('broken because of ' + 'abcdefghijklmnop'[readFileSync('words').length].repeat(9));
process.exit(1);
`;
