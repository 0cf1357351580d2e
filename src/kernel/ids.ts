import { monotonicFactory } from 'ulid';

export type MakeId = () => string;

/** Ids that sort by creation, also within one millisecond. */
export function sortableIds(): MakeId {
  const next = monotonicFactory();
  return () => next();
}
