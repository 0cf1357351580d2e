import { matcher } from '../policy/violations.ts';
import type { TaskFacts } from '../task-facts.ts';
import { isGenerated } from './generated-paths.ts';
import type { IsNamed } from './relevant-changes.ts';

/**
 * The paths that a task is about by name: those it expects, those it allows as they are, and those of a pattern that
 * itself leads to where products are (`build/**`). What a wider pattern (`src/**`) happens to hold is not named.
 */
export function namedBy({ allowedPaths, expectedFiles }: TaskFacts): IsNamed {
  const allowed = allowedPaths.map(plain);
  const exact = new Set([...allowed, ...expectedFiles.map(plain)]);
  const ofProducts = matcher(
    allowed.filter((pattern) => isGenerated(`${pattern}/x`) || isGenerated(pattern)),
  );
  return (path) => exact.has(path) || ofProducts(path);
}

function plain(path: string): string {
  return path.trim().replace(/^\.\//, '').replace(/\/$/, '');
}
