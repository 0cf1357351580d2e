/** Of a task that names none; lower goes first. */
export const DEFAULT_PRIORITY = 100;

/**
 * What one step of priority is worth. A task gains a step on all later ones with every quarter of an hour it
 * waits, so none waits for ever; between tasks added at about the same time priority alone decides.
 */
const PRIORITY_STEP_MS = 15 * 60_000;

/** The place of a task in line: lower goes first. */
export function rankOf(priority: number, createdAt: number): number {
  return createdAt + priority * PRIORITY_STEP_MS;
}
