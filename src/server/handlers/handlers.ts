import { actHandlers } from './acts.ts';
import { backlogHandlers } from './backlog.ts';
import type { Handlers } from './context.ts';
import { fileHandlers } from './files.ts';
import { reviewHandlers } from './review.ts';
import { serverHandlers } from './server.ts';
import { sessionHandlers } from './sessions.ts';
import { upkeepHandlers } from './upkeep.ts';

/** One handler for every route; the compiler misses the one that is forgotten. */
export const handlers: Handlers = {
  ...serverHandlers,
  ...sessionHandlers,
  ...actHandlers,
  ...fileHandlers,
  ...reviewHandlers,
  ...upkeepHandlers,
  ...backlogHandlers,
};
