import { action } from '../../kernel/action.ts';
import { systemClock } from '../../kernel/clock.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { Emitter } from '../../kernel/events.ts';
import { freezeJson, isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { maskJson } from '../../kernel/mask-json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { compileManifest } from '../../manifest/compile.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import { ManifestInvalidError } from '../../manifest/load-error.ts';
import type { WorkerKind } from '../../manifest/origin.ts';
import { builtInSchemas } from '../../manifest/output-schema.ts';
import { requiredInputs, usedConfig } from '../../manifest/placeholders.ts';
import type { Problem } from '../../manifest/problem.ts';
import type { ResolvedManifest, ResolvedNode } from '../../manifest/resolved.ts';
import { RUN_STAGE, type StageWorkflow } from '../../manifest/stages/definition.ts';
import type { WorkerRegistry } from '../../manifest/worker.ts';
import type { EngineEvent } from '../events.ts';
import type { ExecuteOptions, OrchestratorServices } from '../services.ts';
import type { NewSession } from '../state/session-manager.ts';
import { defaultSelector } from './artifacts.ts';
import type { ExecutorServices } from './executor.ts';
import { LiveTasks } from './live-tasks.ts';
import { withSomeOrigin } from './stamp-origins.ts';
import { UnknownWorkerError } from './transition.ts';
import { NO_TREE } from './tree-port.ts';

/** The manifest as the engine runs it; one that was resolved before (a stored session's) is taken as it is. */
export function resolve(
  manifest: WorkflowManifest | StageWorkflow | ResolvedManifest,
  services: OrchestratorServices,
  workers: WorkerRegistry,
): { manifest: ResolvedManifest; warnings: readonly Problem[] } {
  if (isResolved(manifest)) return { manifest, warnings: [] };
  const { schemas, config } = services;
  const compiled = compileManifest(manifest, {
    workers,
    ...(schemas ? { schemas } : {}),
    ...(config ? { config } : {}),
  });
  if (!compiled.manifest) throw new ManifestInvalidError(compiled.problems);
  return { manifest: compiled.manifest, warnings: compiled.problems };
}

const ACTING: ReadonlySet<string> = new Set(['agent', 'model'] satisfies WorkerKind[]);

function isResolved(manifest: unknown): manifest is ResolvedManifest {
  return isJsonObject(manifest) && manifest.version === 1 && isJsonObject(manifest.blocks);
}

export function prepareExecutor(
  manifest: ResolvedManifest,
  services: OrchestratorServices,
  workers: WorkerRegistry,
  events: Emitter<EngineEvent>,
): ExecutorServices {
  return {
    workerOf: ({ worker: name }) => {
      const worker = workers.get(name);
      if (worker) return worker;
      throw new UnknownWorkerError(
        `There is no worker "${name}".${didYouMean(name, workers.names?.() ?? [])}`,
        {
          next: 'Register it, or add it under "workers" in the manifest.',
        },
      );
    },
    onlyReads: ({ worker }) => workers.get(worker)?.changesFiles === false,
    acts: ({ worker }) => worker === RUN_STAGE || ACTING.has(workers.get(worker)?.kind ?? 'program'),
    personaOf: (name) => manifest.workers[name]?.persona ?? workers.get(name)?.persona,
    artifacts: services.artifacts ?? defaultSelector(manifest, services.plannedFiles ?? (() => [])),
    config: services.config ?? {},
    schemas: { ...builtInSchemas, ...services.schemas, ...manifest.schemas },
    tree: services.tree ?? NO_TREE,
    guard: services.guard,
    paths: services.paths,
    live: new LiveTasks(),
    spend: services.spend,
    wentOnWith: (...asked) => services.sessions?.wentOnWith(...asked) ?? true,
    clock: services.clock ?? systemClock,
    events,
  };
}

/** The node that a session starts in. */
export function startNode(manifest: ResolvedManifest, name: string): ResolvedNode {
  const node = Object.hasOwn(manifest.nodes, name) ? manifest.nodes[name] : undefined;
  if (node) return node;
  const known = Object.keys(manifest.nodes);
  throw new UsageError(`The manifest has no node "${name}".${didYouMean(name, known)}`, {
    next: `Start at one of: ${known.join(', ')}.`,
  });
}

/** Everything a new session starts with; refuses what would only fail later. */
export function newSession(
  manifest: ResolvedManifest,
  services: OrchestratorServices,
  startNodeId: string,
  options: ExecuteOptions,
): NewSession {
  const node = startNode(manifest, startNodeId);
  const {
    inputs = {},
    payload = [],
    goal = '',
    stepping = false,
    budget,
    workflow,
    source,
    sandbox,
    paths,
    sessionId,
    task,
  } = options;
  const missing = requiredInputs(manifest).filter((name) => inputs[name] === undefined);
  if (missing.length > 0) {
    throw new UsageError(`The manifest uses inputs that were not given: ${missing.join(', ')}.`, {
      next: action('run.input', 'Give a value for each', { input: missing[0] }),
    });
  }
  const reason = freezeJson([inputs, payload]);
  if (reason !== undefined) throw new UsageError(`Inputs and payload must be JSON: ${reason}.`);
  return {
    manifest,
    start: node.entry,
    goal: goal === '' ? (workflow ?? startNodeId) : goal,
    inputs,
    payload: payload.map(withSomeOrigin),
    stepping,
    budget: { ...manifest.budget, ...budget },
    ...(services.worktreePath === undefined ? {} : { worktree: services.worktreePath }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(source === undefined ? {} : { source }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(paths === undefined ? {} : { paths }),
    ...(task === undefined ? {} : { task }),
    config: configOf(manifest, services),
    ...(sessionId === undefined ? {} : { id: sessionId }),
  };
}

/** What the manifest asks of the configuration, as it is journaled. */
export function configOf(
  manifest: ResolvedManifest,
  { config, masker }: Pick<OrchestratorServices, 'config' | 'masker'>,
): JsonObject {
  const used = usedConfig(manifest, config);
  return masker ? maskJson(masker, used) : used;
}
