import type { JsonObject } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { renderConfig } from '../placeholders.ts';
import { inside, type Place, type ProblemReport, quote } from '../problem.ts';
import {
  type Address,
  type BlockId,
  endOf,
  type ResolvedBlock,
  type ResolvedNode,
  type ResolvedTransition,
} from '../resolved.ts';
import type { Worker, WorkerRegistry } from '../worker.ts';
import { checkPlaceholders } from './check-placeholders.ts';
import { resolveLimits } from './config-numbers.ts';
import type { Draft, DraftBlock, DraftNode } from './draft.ts';
import type { Names } from './names.ts';
import { resolveAction } from './references.ts';
import { checkSchemas, type Schemas } from './schemas.ts';
import { resolveStrategy } from './strategy.ts';
import { checkWith, checkWorker } from './workers.ts';

/** Everything the checks of one block need to know about the rest. */
export interface Surroundings {
  readonly draft: Draft;
  readonly names: Names;
  readonly schemas: Schemas;
  readonly registry: WorkerRegistry | undefined;
  readonly config: JsonObject | undefined;
  readonly strict: boolean;
  readonly report: ProblemReport;
}

/** A block with the worker found for it. Where the draft was broken, something was reported and is left out. */
export interface Checked {
  readonly draft: DraftBlock;
  readonly block: ResolvedBlock;
  readonly worker: Worker | undefined;
  /** `with`, as far as it is known at load. */
  readonly parameters: JsonObject;
}

export function resolveNode(node: DraftNode, { names, report }: Surroundings): ResolvedNode {
  const { entry_block: written, context_inheritance, static_memory } = node.fields;
  const entry = names.entryOf(node);
  if (written !== undefined && !entry) {
    const place = inside(node.place, 'entry_block');
    const elsewhere = names.block(written.trim(), node.id);
    const hint = didYouMean(written, names.near(node.id));
    report.error(
      place,
      elsewhere
        ? `${quote(written)} is a block of node ${elsewhere.node}; name one of this node's own blocks.`
        : `${quote(written)} is not a block of this node.${hint}`,
    );
  }
  return {
    id: node.id,
    entry: entry?.id ?? '',
    inherits: context_inheritance ?? true,
    memory: static_memory ?? {},
    order: node.blocks.map((block) => block.id),
  };
}

export function resolveBlocks(node: DraftNode, around: Surroundings): Checked[] {
  return node.blocks.map((block, index) =>
    resolveBlock(block, node.blocks[index + 1]?.id ?? endOf(node.id), around),
  );
}

function resolveBlock(draft: DraftBlock, next: Address, around: Surroundings): Checked {
  const { names, report } = around;
  const { instructions, answerFormat, artifacts, validationSchema, signalFrom, reply } = draft.fields;
  const worker = checkWorker(draft, around.draft, around.registry, report);
  const parameters = draft.fields.with ?? {};
  const known = renderConfig(parameters, around.config ?? {});
  checkWith(draft, worker, known, report);
  checkPlaceholders(draft, around.config, report);
  checkSchemas(draft, around.schemas, report);
  const limits = resolveLimits(draft, around);
  const block = {
    id: draft.id,
    node: draft.node,
    name: draft.name,
    worker: draft.fields.worker ?? '',
    merge: resolveStrategy(draft, names, report, around.strict),
    transitions: resolveTransitions(draft, 'transitions', next, around),
    next,
    with: parameters,
    ...(draft.returns ? { returns: resolveTransitions(draft, 'returns', next, around) } : {}),
    ...defined({ instructions, answerFormat, artifacts, validationSchema, signalFrom, reply, limits }),
  };
  return { draft, block, worker, parameters: known };
}

function resolveTransitions(
  block: DraftBlock,
  field: 'transitions' | 'returns',
  next: Address,
  around: Surroundings,
): ResolvedTransition[] {
  const resolved: ResolvedTransition[] = [];
  for (const [index, transition] of (block[field] ?? []).entries()) {
    const { on_signal, action: text } = transition;
    checkSignal(on_signal, inside(block.place, field, index, 'on_signal'), around.report);
    if (text === undefined) continue;
    const place = inside(block.place, field, index, 'action');
    const action = resolveAction(text, { block, next, place }, around.names, around.report);
    if (action && on_signal !== undefined) resolved.push({ on_signal, action });
  }
  return resolved;
}

const SIGNAL = 'SIGNAL:';

/** No worker emits anything else, so such a transition would never be taken. */
function checkSignal(signal: string | undefined, place: Place, report: ProblemReport): void {
  if (signal === undefined || signal === '' || (signal.startsWith(SIGNAL) && signal !== SIGNAL)) return;
  const meant = signal.replace(/^(?:signal)?:?\s*/i, '');
  const hint = meant === '' ? '' : ` Write ${quote(`${SIGNAL}${meant}`)}.`;
  report.error(place, `${quote(signal)} is not a signal; a signal begins with ${SIGNAL}.${hint}`);
}

/** Gates stand outside all nodes, so a bare name is enough when only one node has such a block. */
export function resolveGates({ draft, names, report }: Surroundings): BlockId[] {
  const gates: BlockId[] = [];
  for (const [index, written] of draft.gates.entries()) {
    if (written === undefined) continue;
    const full = names.blocks.get(written);
    const found = full ? [full] : [...names.blocks.values()].filter((block) => block.name === written);
    const [only] = found;
    if (only && found.length === 1) {
      gates.push(only.id);
      continue;
    }
    const all = [...names.blocks.values()];
    const hint = didYouMean(
      written,
      all.flatMap((block) => [block.name, block.id]),
    );
    report.error(
      { path: ['gates', index] },
      only
        ? `Gate ${quote(written)} could be ${found.map((block) => block.id).join(' or ')}; write the full id.`
        : `Gate ${quote(written)} is not a block.${hint}`,
    );
  }
  return gates;
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
