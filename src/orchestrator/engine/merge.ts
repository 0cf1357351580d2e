import type { JsonObject } from '../../kernel/json.ts';
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

/** Executes a block's merge instructions in order; each segment of the history appears at most once. */
export function merge(
  instructions: readonly MergeInstruction[],
  history: History,
  memory: JsonObject,
): Merged {
  const injected = instructions.flatMap((instruction) => staticMemory(instruction, memory));
  const choosing = instructions.filter((instruction) => instruction.take !== 'STATIC_MEMORY');
  if (choosing.length === 0 || (choosing.length === 1 && choosing[0]?.take === 'ALL')) {
    const payload = () => (injected.length === 0 ? history.segments() : [...history.segments(), ...injected]);
    return { shown: 'everything', injected, payload };
  }
  const shown = choose(choosing, history);
  return { shown, injected, payload: () => [...shown, ...injected] };
}

function choose(instructions: readonly MergeInstruction[], history: History): ContextSegment[] {
  const excluded = new Set(
    instructions.flatMap((instruction) => (instruction.take === 'EXCLUDE' ? [instruction.type] : [])),
  );
  const onlyExcludes = instructions.every((instruction) => instruction.take === 'EXCLUDE');
  const effective: readonly MergeInstruction[] = onlyExcludes ? [{ take: 'ALL' }] : instructions;
  const chosen = new Map<string, ContextSegment>();
  for (const instruction of effective) {
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
  return [{ id: `@static:${instruction.key}`, type: STATIC_MEMORY, content }];
}
