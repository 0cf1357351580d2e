import { existsSync } from 'node:fs';
import { ConflictError, NotFoundError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ShownFile } from '../../manifest/progress-note.ts';
import { readNotes } from '../../manifest/read-note.ts';
import type { ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import type { ArtifactFile, WorkerContext } from '../../manifest/worker.ts';
import { defaultSelector } from '../../orchestrator/engine/artifacts.ts';
import { assembleContext } from '../../orchestrator/engine/assemble-context.ts';
import { InheritedMemory } from '../../orchestrator/engine/inherited.ts';
import { apply } from '../../orchestrator/state/apply.ts';
import type { JournalRecord, StepRecord } from '../../orchestrator/state/record.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { exact, filesAt, type Layer, reconstructed } from './files-at.ts';

type LayerName = Exclude<keyof WorkerContext, 'flatten'>;

/** All five layers of one block, in their order of priority. */
export type Layers = { readonly [name in LayerName]: Layer<WorkerContext[name]> };

export interface StepContext {
  readonly session: string;
  readonly step: number;
  readonly block: string;
  readonly worker: string;
  readonly layers: Layers;
  /** What was sent to agents in this step, oldest first; secrets in it are masked. */
  readonly prompts: readonly SentPrompt[];
}

export interface SentPrompt {
  readonly task: string;
  readonly text: string;
  readonly at: number;
}

export interface ContextSettings {
  /** What `{{config.x}}` means today: for journals that do not say what it meant then. */
  readonly config?: () => JsonObject;
}

/** What a step was given, from the journal, the frozen manifest and the checkpoint before it. */
export async function contextOfStep(
  sessions: SessionManager,
  id: string,
  step: number,
  settings: ContextSettings = {},
): Promise<StepContext> {
  return (await stepWithContext(sessions, id, step, settings)).context;
}

/** The same, with what the step answered. */
export async function stepWithContext(
  sessions: SessionManager,
  id: string,
  step: number,
  settings: ContextSettings = {},
): Promise<{ readonly record: StepRecord; readonly context: StepContext }> {
  const { manifest, records } = sessions.records(id);
  let state: SessionState | undefined;
  let epoch = 1;
  const seen: Seen = { shown: undefined, prompts: [] };
  for (const record of records) {
    if (record.t === 'claimed') epoch = record.epoch;
    if (record.t === 'progress' && record.step === step) look(record, seen);
    if (record.t === 'step' && record.ran && record.step === step && state) {
      const block = blockOf(manifest, record.block);
      const files = await filesOfStep(manifest, state, block, seen.shown);
      const layers = await layersOf(manifest, state, block, { epoch, files, ...settings });
      const { prompts } = seen;
      const context = { session: id, step, block: block.id, worker: block.worker, layers, prompts };
      return { record, context };
    }
    state = apply(state, record);
  }
  const last = state?.step ?? 0;
  throw new NotFoundError(`Session ${id} has no step ${step}.`, {
    next: last === 0 ? 'It has run no block yet.' : `It has steps 1 to ${last}.`,
  });
}

/** What the block would be given that a session which stands still would run next. */
export async function contextOfNext(
  sessions: SessionManager,
  id: string,
  settings: ContextSettings = {},
): Promise<StepContext> {
  const { session, state, manifest, ownerAlive } = sessions.load(id);
  if (state.at === null || ownerAlive) {
    throw new ConflictError(
      `Session ${id} ${ownerAlive ? 'is being run' : 'has no next block'}: there is nothing to look ahead to.`,
    );
  }
  const block = blockOf(manifest, state.at);
  const paths = await pathsOf(manifest, block);
  const given = { epoch: session.epoch + 1, files: { paths }, ...settings };
  // It is run with the configuration as it is then.
  const then = { ...state, config: settings.config?.() ?? state.config };
  const layers = await layersOf(manifest, then, block, given);
  return { session: id, step: state.step + 1, block: block.id, worker: block.worker, layers, prompts: [] };
}

interface Seen {
  shown: readonly ShownFile[] | undefined;
  readonly prompts: SentPrompt[];
}

function look({ note }: Extract<JournalRecord, { t: 'progress' }>, seen: Seen): void {
  for (const each of readNotes(note)) {
    // A step that was interrupted is shown its files again: the last time counts.
    if (each.type === 'context') seen.shown = each.files;
    if (each.type === 'said' && each.said === 'prompt') {
      const { task, text, at } = each;
      seen.prompts.push({ task, text, at });
    }
  }
}

/** Files as they were, or the paths that are read as they are now. */
type Files = Layer<readonly ArtifactFile[]> | { readonly paths: readonly string[] };

async function filesOfStep(
  manifest: ResolvedManifest,
  state: SessionState,
  block: ResolvedBlock,
  shown: readonly ShownFile[] | undefined,
): Promise<Files> {
  // A journal that says what the configuration was also says what was shown, if there was anything.
  const known = shown ?? (state.config === null ? undefined : []);
  const paths = known ? known.map(({ path }) => path) : await pathsOf(manifest, block);
  return filesAt({ worktree: state.worktree, commit: state.files, paths, shown: known });
}

/** Without the change plan, which is not kept. */
async function pathsOf(manifest: ResolvedManifest, block: ResolvedBlock): Promise<readonly string[]> {
  return defaultSelector(manifest, () => [])(block);
}

async function layersOf(
  manifest: ResolvedManifest,
  state: SessionState,
  block: ResolvedBlock,
  { epoch, files, config = () => ({}) }: ContextSettings & { readonly epoch: number; readonly files: Files },
): Promise<Layers> {
  const now = 'paths' in files && state.worktree !== undefined && existsSync(state.worktree);
  const { context } = await assembleContext(state, block, {
    personaOf: (worker) => manifest.workers[worker]?.persona,
    artifacts: () => ('paths' in files && now ? files.paths : []),
    config: state.config ?? config(),
    memory: new InheritedMemory(manifest),
    schemas: manifest.schemas,
    epoch,
  }).catch((error: unknown) => {
    throw new ConflictError(`The context of ${block.id} can no longer be put together.`, { cause: error });
  });
  return {
    execution_payload: exact(context.execution_payload),
    contract: contractLayer(manifest, state, block, context),
    inherited_context: exact(context.inherited_context),
    primary_artifact: 'paths' in files ? exact(context.primary_artifact) : files,
    system_metadata: exact(context.system_metadata),
  };
}

function contractLayer(
  manifest: ResolvedManifest,
  state: SessionState,
  block: ResolvedBlock,
  { contract }: WorkerContext,
): Layers['contract'] {
  if (state.config === null)
    return reconstructed(contract, 'its journal does not say what the configuration was');
  // A worker of code can bring a persona of its own, which is not in the manifest.
  return manifest.workers[block.worker] || block.worker.startsWith('Internal:')
    ? exact(contract)
    : reconstructed(contract, 'its worker is not in the manifest and may have a persona of its own');
}

function blockOf(manifest: ResolvedManifest, id: string): ResolvedBlock {
  const block = manifest.blocks[id];
  if (block) return block;
  throw new NotFoundError(`The manifest of the session has no block ${id}.`);
}
