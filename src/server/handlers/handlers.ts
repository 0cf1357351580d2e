import { actHandlers } from './acts.ts';
import { backlogHandlers } from './backlog.ts';
import type { Handlers } from './context.ts';
import { fileHandlers } from './files.ts';
import { serverHandlers } from './server.ts';
import { sessionHandlers } from './sessions.ts';

/** One handler for every route; the compiler misses the one that is forgotten. */
export const handlers: Handlers = {
  ...serverHandlers,
  ...sessionHandlers,
  ...actHandlers,
  ...fileHandlers,
  ...backlogHandlers,
};
