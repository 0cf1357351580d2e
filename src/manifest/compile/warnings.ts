import { didYouMean } from '../../kernel/suggest.ts';
import { inside, type ProblemReport } from '../problem.ts';
import { isEnd, type ResolvedBlock, type ResolvedNode } from '../resolved.ts';
import { FAIL_DEFAULT, SUCCESS, VALIDATION_FAIL } from '../worker.ts';
import type { DraftBlock } from './draft.ts';
import { cycles, type Edges, reach, reversed, successors } from './flow.ts';
import type { Checked } from './resolve.ts';
import { warnAboutReturns } from './returns.ts';

/** What one block by itself makes suspicious. */
export function warnAboutBlock({ draft, worker, parameters }: Checked, report: ProblemReport): void {
  signalsOf(draft, 'returns', report);
  const handled = signalsOf(draft, 'transitions', report);
  if (handled.has(FAIL_DEFAULT)) return;
  const place = inside(draft.place, 'transitions');
  const { validationSchema, signalFrom } = draft.fields;
  if (validationSchema !== undefined && !handled.has(VALIDATION_FAIL)) {
    report.warning(
      place,
      `Output that does not match ${validationSchema} has no way; add ${VALIDATION_FAIL} or ${FAIL_DEFAULT}.`,
    );
  }
  // An empty table ends the session whatever the signal is.
  if (draft.transitions.length === 0) return;
  const emitted = new Set([...(worker?.signals ?? []), ...(worker?.signalsFor?.(parameters) ?? [])]);
  // The value of the output takes the place of success.
  if (signalFrom !== undefined) emitted.delete(SUCCESS);
  for (const signal of emitted) {
    if (handled.has(signal)) continue;
    const hint = didYouMean(signal, handled);
    report.warning(
      place,
      `The worker can emit ${signal}, which no transition handles; add it or ${FAIL_DEFAULT}.${hint}`,
    );
  }
}

/** The signals that a table lists; of two equal entries the second is never used. */
function signalsOf(draft: DraftBlock, field: 'transitions' | 'returns', report: ProblemReport): Set<string> {
  const listed = new Set<string>();
  for (const [index, { on_signal }] of (draft[field] ?? []).entries()) {
    if (on_signal === undefined) continue;
    if (listed.has(on_signal)) {
      const place = inside(draft.place, field, index);
      report.warning(place, `${on_signal} has a transition above, so this one is never used; remove one.`);
    }
    listed.add(on_signal);
  }
  return listed;
}

/** What only the whole graph shows. Needs every action resolved, or it would warn of what is not so. */
export function warnAboutFlow(
  nodes: readonly ResolvedNode[],
  checked: readonly Checked[],
  report: ProblemReport,
): void {
  const places = new Map(checked.map(({ draft }) => [draft.id, draft.place]));
  const warn = (id: string, message: string): void => report.warning(places.get(id) ?? { path: [] }, message);
  const blocks = checked.map(({ block }) => block);
  const edges = edgesOf(blocks, { halts: true });

  const reachable = reach(
    nodes.map((node) => node.entry),
    edges,
  );
  for (const { id } of blocks) {
    if (!reachable.has(id))
      warn(id, 'No entry block of any node leads here; jump to this block or remove it.');
  }

  const ending = blocks.filter(ends).map((block) => block.id);
  const withWayOut = reach(ending, reversed(edges));
  for (const { id } of blocks) {
    if (withWayOut.has(id)) continue;
    warn(
      id,
      'There is no way out: no RETURN, HALT_AND_FLAG or block without transitions can be reached from here.',
    );
  }

  warnAboutNodes(nodes, edges, ({ id: node, order: [block = ''] }, message) =>
    report.warning({ node, path: places.get(block)?.path.slice(0, -2) ?? [] }, message),
  );
  warnAboutReturns(blocks, warn);

  const unlimited = blocks.filter((block) => !hasLimit(block));
  for (const cycle of cycles(edgesOf(unlimited, { halts: false }))) {
    const [first = ''] = cycle;
    const way =
      cycle.length === 1 ? 'This block leads back to itself' : `${cycle.join(', ')} lead back to each other`;
    warn(
      first,
      `${way} and none has limits, so only the budget ends it; give one a "limits": { "visits": n }.`,
    );
  }
}

/** A session starts in the first node unless somebody names another one. */
function warnAboutNodes(
  nodes: readonly ResolvedNode[],
  edges: Edges,
  warn: (node: ResolvedNode, message: string) => void,
): void {
  const [first, ...others] = nodes;
  if (!first) return;
  const reachable = reach([first.entry], edges);
  for (const node of others) {
    if (node.order.some((block) => reachable.has(block))) continue;
    warn(
      node,
      `No way leads here from ${first.id}, where a session starts; jump to this node or call it, or remove it. It runs only where somebody starts in it by name.`,
    );
  }
}

function edgesOf(blocks: readonly ResolvedBlock[], options: { halts: boolean }): Edges {
  const known = new Set(blocks.map((block) => block.id));
  return new Map(blocks.map((block) => [block.id, successors(block, options).filter((id) => known.has(id))]));
}

function ends({ transitions, returns = [] }: ResolvedBlock): boolean {
  if (transitions.length === 0) return true;
  return [...transitions, ...returns].some(({ action }) => {
    if (action.verb === 'CALL') return isEnd(action.returnTo);
    return action.verb !== 'JUMP';
  });
}

function hasLimit({ limits }: ResolvedBlock): boolean {
  return limits !== undefined && Object.keys(limits).length > 0;
}
