import { LoopwrightError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { ACTION_FORMS, type ParsedAction, parseAction } from '../action.ts';
import { type Place, type ProblemReport, quote } from '../problem.ts';
import type { Address, BlockId, ResolvedAction } from '../resolved.ts';
import type { DraftBlock } from './draft.ts';
import type { Names } from './names.ts';

/** Where an action stands: the block it leaves, and the address that follows it in its node. */
export interface From {
  readonly block: DraftBlock;
  readonly next: Address;
  readonly place: Place;
}

/** Turns an action into one that needs no further look-up; undefined when it was reported instead. */
export function resolveAction(
  text: string,
  from: From,
  names: Names,
  report: ProblemReport,
): ResolvedAction | undefined {
  const parsed = parse(text, from.place, report);
  if (!parsed) return undefined;
  if (parsed.verb === 'RETURN' || parsed.verb === 'HALT_AND_FLAG') return { ...parsed, text };
  if (parsed.verb === 'JUMP') {
    const to = jumpTarget(parsed.target, from, names, report);
    return to === undefined ? undefined : { verb: 'JUMP', to, text };
  }
  const to = callTarget(parsed.target, from, names, report);
  const returnTo =
    parsed.returnTo === undefined ? from.next : returnAddress(parsed.returnTo, from, names, report);
  return to === undefined || returnTo === undefined
    ? undefined
    : { verb: 'CALL', to, returnTo, ...(from.block.returns ? { from: from.block.id } : {}), text };
}

function parse(text: string, place: Place, report: ProblemReport): ParsedAction | undefined {
  try {
    return parseAction(text);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const verb = text.trim().split(':', 1)[0] ?? '';
    const verbs = ['JUMP', 'CALL', 'RETURN', 'HALT_AND_FLAG'];
    const hint = verbs.includes(verb) ? '' : didYouMean(verb, verbs);
    report.error(place, `${quote(text)} is not an action; write one of ${ACTION_FORMS.join(', ')}.${hint}`);
    return undefined;
  }
}

function jumpTarget(target: string, from: From, names: Names, report: ProblemReport): BlockId | undefined {
  const block = names.block(target, from.block.node);
  const node = names.nodes.get(target);
  if (block && node && block.id !== target) {
    report.error(
      from.place,
      `JUMP:${target} could mean block ${block.id} or node ${target}; write JUMP:${block.id} for the block, or the full id of the node's entry block.`,
    );
    return undefined;
  }
  if (block) return block.id;
  if (node) return names.entryOf(node)?.id;
  const hint = didYouMean(target, [...names.near(from.block.node), ...names.nodes.keys()]);
  report.error(
    from.place,
    `JUMP names ${quote(target)}, which is neither a block of node ${from.block.node}, nor a full block id, nor a node.${hint}`,
  );
  return undefined;
}

function callTarget(target: string, from: From, names: Names, report: ProblemReport): BlockId | undefined {
  const node = names.nodes.get(target);
  const block = names.blocks.get(target);
  if (node && block) {
    report.error(
      from.place,
      `CALL:${target} could mean node ${target} or block ${block.name} of node ${block.node}; write the full id of the entry block for the node, or rename one.`,
    );
    return undefined;
  }
  if (node) return names.entryOf(node)?.id;
  if (block) return block.id;
  const own = names.block(target, from.block.node);
  const hint = own
    ? ` To call this block of the same node, write CALL:${own.id}.`
    : didYouMean(target, [...names.nodes.keys(), ...names.blocks.keys()]);
  report.error(
    from.place,
    `CALL names ${quote(target)}, which is neither a node nor a full block id.${hint}`,
  );
  return undefined;
}

function returnAddress(
  written: string,
  from: From,
  names: Names,
  report: ProblemReport,
): BlockId | undefined {
  const block = names.block(written, from.block.node);
  if (block) return block.id;
  const hint = didYouMean(written, names.near(from.block.node));
  report.error(
    from.place,
    `CALL returns to ${quote(written)}, which is neither a block of node ${from.block.node} nor a full block id.${hint}`,
  );
  return undefined;
}
