import { errorMessage } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { oneLine } from '../../kernel/words.ts';
import type { BlockId, ResolvedBlock } from '../../manifest/resolved.ts';
import { type ContextSegment, contentText } from '../../manifest/segment.ts';
import { SUCCESS, type WorkerContext, type WorkerResult, type WorkerRun } from '../../manifest/worker.ts';
import { assembleContext } from '../../orchestrator/engine/assemble-context.ts';
import { InheritedMemory } from '../../orchestrator/engine/inherited.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import type { CommandKind } from '../../verification/commands/project-commands.ts';
import { readParameters } from '../../workers/command/parameters.ts';
import { blockCommand } from '../../workers/project-command.ts';
import { shownCommand } from '../../workers/run-command.ts';
import { workersFor } from '../../workers/workers-for.ts';
import { maskedText } from '../masked.ts';
import type { OpenProject } from '../open.ts';
import type { CandidateRun, Check, Checks, Repeated } from './checks.ts';
import { lastLines } from './last-lines.ts';

/** Workers whose answer is about the files alone, so that it can be had again for others. */
const REPEATABLE: { readonly [worker: string]: CommandKind | 'command' } = {
  'Internal:TestRunner': 'test',
  'Internal:RunLinter': 'lint',
  'Internal:RunBuilder': 'build',
  'Internal:Command': 'command',
};

/** Workers that judge what was changed and not what it was changed in: a base that moved changes nothing about that. */
const ABOUT_THE_CHANGE: ReadonlySet<string> = new Set(['Internal:InspectTests']);

/** The gates of a session as checks: the same workers, with the commands that the project is configured with. */
export async function gateChecks(
  opened: OpenProject,
  snapshot: Snapshot,
  { tree, root }: { readonly tree: string | undefined; readonly root: string },
): Promise<Checks> {
  const { manifest, state } = snapshot;
  const blocks = manifest.gates.flatMap((id) => manifest.blocks[id] ?? []);
  const repeatable = blocks.filter((block) => isRepeatable(snapshot, block));
  const commands = new Map<BlockId, string>();
  for (const block of repeatable) {
    const context = await contextOf(snapshot, block, root, opened.services.config);
    const command = commandOf(opened, context, block, root);
    if (command !== undefined) commands.set(block.id, maskedText(opened, oneLine(command)));
  }
  const named = (id: BlockId) => {
    const command = commands.get(id);
    return { name: id, ...(command === undefined ? {} : { command }) };
  };
  const seen = manifest.gates.map((id): Check => {
    const last = state.gates[id];
    if (!last) return { name: id, result: 'never ran' };
    return { ...named(id), result: last.signal === SUCCESS ? 'passed' : last.signal, tree: last.tree };
  });
  return {
    seen,
    tree,
    unrepeatable: blocks
      .filter(({ worker, id }) => !ABOUT_THE_CHANGE.has(worker) && !repeatable.some((one) => one.id === id))
      .map(({ id, worker }) => `${id} cannot be asked again outside of its session (${worker})`),
    commands: [...commands.values()],
    repeat: async (on) => {
      const done: Repeated[] = [];
      for (const block of repeatable) {
        done.push({ ...named(block.id), ...(await repeated(opened, snapshot, block, on)) });
        if (done.at(-1)?.passed !== true) break;
      }
      return done;
    },
  };
}

/** A roster can give a name of ours to somebody else. */
function isRepeatable({ manifest }: Snapshot, { worker }: ResolvedBlock): boolean {
  return REPEATABLE[worker] !== undefined && manifest.workers[worker] === undefined;
}

async function contextOf(
  { manifest, state, session }: Snapshot,
  block: ResolvedBlock,
  worktree: string,
  config: JsonObject,
  id = state.id,
): Promise<WorkerContext> {
  const { context } = await assembleContext({ ...state, id, worktree }, block, {
    personaOf: (worker) => manifest.workers[worker]?.persona,
    artifacts: () => [],
    config: { ...config, ...state.config },
    memory: new InheritedMemory(manifest),
    schemas: manifest.schemas,
    epoch: session.epoch,
  });
  return context;
}

function commandOf(
  { services }: OpenProject,
  context: WorkerContext,
  { worker }: ResolvedBlock,
  worktree: string,
): string | undefined {
  const kind = REPEATABLE[worker];
  if (kind === undefined) return undefined;
  const read =
    kind === 'command'
      ? readParameters(context.contract.with)
      : blockCommand({ services: { baseEnv: {}, ...services }, context, worktree }, kind).read;
  return 'argv' in read ? shownCommand(read.argv.map(quoted)) : undefined;
}

/** So that whoever reads the line can tell its words apart. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

async function repeated(
  { services }: OpenProject,
  snapshot: Snapshot,
  block: ResolvedBlock,
  on: CandidateRun,
): Promise<Omit<Repeated, 'name' | 'command'>> {
  const context = await contextOf(snapshot, block, on.root, services.config, on.id);
  const log = on.logFile(`${block.id}.log`);
  const worker = workersFor({ ...services, workers: {} }).get(block.worker);
  const answered = await worker
    ?.run(context, runOf(on, block, log))
    .catch((error: unknown): WorkerResult => ({ signal: errorMessage(error), new_payload: [] }));
  const { signal = 'no answer', new_payload: payload = [], doubt } = answered ?? {};
  // As in its session: a pass that is no evidence opens no gate.
  const passed = signal === SUCCESS && !doubt;
  const added = payload.slice(context.execution_payload.length).map(contentText).join('\n');
  const why = doubt ? `it passed, but ${doubt.why}` : signal;
  const said = passed ? '' : `${why}\n${lastLines(added)}`.trim();
  return { passed, result: passed ? 'passed' : why, tree: on.tree, said, log };
}

/** What a gate may do outside of its session: run, and say what it found. */
function runOf(on: CandidateRun, { id }: ResolvedBlock, log: string): WorkerRun {
  let segments = 0;
  const refuse = () => {
    throw new Error(`${id} wants something that only a running session can give`);
  };
  return {
    cancel: on.cancel,
    segment: (type: string, content: JsonValue, extra: JsonObject = {}): ContextSegment => ({
      ...extra,
      id: `candidate.${++segments}`,
      type,
      content,
    }),
    output: () => undefined,
    usage: () => undefined,
    progress: (note) => {
      if (note.type === 'process') on.started(note.process);
    },
    earlier: [],
    tell: () => undefined,
    live: () => () => undefined,
    checkpoint: () => Promise.resolve(),
    stopClock: () => () => undefined,
    ask: refuse,
    park: refuse,
    logFile: () => log,
  };
}
