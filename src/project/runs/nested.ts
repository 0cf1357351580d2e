import { processEnvironment } from '../../config/terminal.ts';
import { DeniedError } from '../../kernel/errors.ts';
import { SESSION_MARKER } from '../../process/child-env.ts';

/** Lets an agent that its owner trusts with it start sessions of its own. */
const ALLOWED = 'LOOPWRIGHT_ALLOW_NESTED';

/** An agent inside a session that starts another one is a loop that costs money. */
export function refuseInside(env = processEnvironment()): void {
  const session = env[SESSION_MARKER];
  if (session === undefined || env[ALLOWED] === '1') return;
  throw new DeniedError(`This runs inside session ${session}, which may not start another one.`, {
    next: `Do the work itself; or let the task start sessions with "env": {"${ALLOWED}": "1"}.`,
  });
}
