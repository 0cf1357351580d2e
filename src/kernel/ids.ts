import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

export type MakeId = () => string;

/** Ids that sort by creation, also within one millisecond. */
export function sortableIds(): MakeId {
  const next = monotonicFactory(randomNumber);
  return () => next();
}

const random = Buffer.alloc(4096);
let used = random.length;

/** From 0 to below 1, in steps of 1/256. The library asks the system once per letter, which takes longer than a query. */
function randomNumber(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  return random.readUInt8(used++) / 256;
}
