import type { PlannedCommand } from '../automatic/plan-commands.ts';

/** Checks by what they usually cost, cheapest first. */
const COSTS: readonly RegExp[] = [
  /\b(?:lint|eslint|biome|oxlint|prettier|format:check|fmt|ruff|flake8|clippy|vet)\b/,
  /\b(?:type-?check|check[:-]types|mypy|pyright)\b|\btsc\b.*--noEmit/,
  /\b(?:tests?|vitest|jest|mocha|pytest|spec)\b/,
];
/** Takes long, or leaves something for those after it. */
const NOT_MOVED = /\be2e\b|playwright|cypress|--fix\b|--write\b|\s-w\b|&&|^cd\b/;

/**
 * Those that nobody put in an order, so that the cheapest likely failure comes first: what was red in the last pass,
 * then what costs least. Whatever is no plain check stays where it is, and nothing passes it.
 */
export function orderCommands(
  commands: readonly PlannedCommand[],
  redBefore: ReadonlySet<string>,
): PlannedCommand[] {
  const ordered: PlannedCommand[] = [];
  let movable: PlannedCommand[] = [];
  const rank = (planned: PlannedCommand) => (redBefore.has(planned.command) ? -1 : costOf(planned));
  const settle = () => {
    ordered.push(...movable.toSorted((a, b) => rank(a) - rank(b)));
    movable = [];
  };
  for (const planned of commands) {
    if (isMovable(planned)) movable.push(planned);
    else {
      settle();
      ordered.push(planned);
    }
  }
  settle();
  return ordered;
}

/** The commands of a task and of a contract have the order that a person gave them. */
function isMovable(planned: PlannedCommand): boolean {
  const { command, from } = planned;
  const isOrdered = from === 'task' || from === 'contract';
  return !isOrdered && !NOT_MOVED.test(command.trim()) && costOf(planned) < COSTS.length;
}

function costOf({ command, kind }: PlannedCommand): number {
  const at = COSTS.findIndex((words) => words.test(kind ?? command));
  return at === -1 ? COSTS.length : at;
}
