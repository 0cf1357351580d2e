import type { JsonObject } from '../../kernel/json.ts';
import { BY_ENGINE } from '../../manifest/origin.ts';
import type { MergeInstruction } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { History } from '../state/history.ts';

/** What a worker is shown of the history, and what the engine added to it for this step only. */
export interface Merged {
  /** `everything`: the whole history in its own order, so nothing needs to be copied to remember it. */
  readonly shown: 'everything' | readonly ContextSegment[];
  readonly injected: readonly ContextSegment[];
  /** A fresh array: whatever a worker does to it stays with that worker. */
  payload(): ContextSegment[];
}

const STATIC_MEMORY = 'STATIC_MEMORY';

/**
 * Executes a block's merge instructions in order; each segment of the history appears at most once, and static memory
 * stands where it is named. A list that takes nothing of the history is shown all of it first.
 */
export function merge(
  instructions: readonly MergeInstruction[],
  history: History,
  memory: JsonObject,
): Merged {
  const taking = instructions.filter(({ take }) => take !== 'STATIC_MEMORY' && take !== 'EXCLUDE');
  const effective: readonly MergeInstruction[] =
    taking.length === 0 ? [{ take: 'ALL' }, ...instructions] : instructions;
  const injected = effective.flatMap((instruction) => staticMemory(instruction, memory));
  const isWhole = effective.every(({ take }) => take === 'ALL' || take === 'STATIC_MEMORY');
  if (isWhole && taking.length <= 1) {
    const at = effective.findIndex(({ take }) => take === 'ALL');
    const before = effective.slice(0, at).flatMap((instruction) => staticMemory(instruction, memory));
    const after = injected.slice(before.length);
    const payload = () =>
      injected.length === 0 ? history.segments() : [...before, ...history.segments(), ...after];
    return { shown: 'everything', injected, payload };
  }
  const ordered = choose(effective, history, memory);
  const shown = ordered.filter((segment) => !injected.some(({ id }) => id === segment.id));
  return { shown, injected, payload: () => [...ordered] };
}

function choose(
  instructions: readonly MergeInstruction[],
  history: History,
  memory: JsonObject,
): ContextSegment[] {
  const excluded = new Set(
    instructions.flatMap((instruction) => (instruction.take === 'EXCLUDE' ? [instruction.type] : [])),
  );
  const chosen = new Map<string, ContextSegment>();
  for (const instruction of instructions) {
    for (const segment of staticMemory(instruction, memory)) chosen.set(segment.id, segment);
    for (const segment of select(instruction, history)) {
      if (!excluded.has(segment.type) && !chosen.has(segment.id)) chosen.set(segment.id, segment);
    }
  }
  return [...chosen.values()];
}

function select(instruction: MergeInstruction, history: History): readonly ContextSegment[] {
  switch (instruction.take) {
    case 'ALL':
      return history.segments();
    case 'TYPE':
      return history.ofType(instruction.type);
    case 'LATEST': {
      const latest = history.latest(instruction.type);
      return latest ? [latest] : [];
    }
    case 'FROM':
      return history.from(instruction.block);
    default:
      return [];
  }
}

/** Injected segments are recognised by their id when a worker hands them back, and never enter the history. */
function staticMemory(instruction: MergeInstruction, memory: JsonObject): ContextSegment[] {
  if (instruction.take !== 'STATIC_MEMORY') return [];
  const content = Object.hasOwn(memory, instruction.key) ? memory[instruction.key] : undefined;
  if (content === undefined) return [];
  return [{ id: `@static:${instruction.key}`, type: STATIC_MEMORY, content, origin: BY_ENGINE }];
}
