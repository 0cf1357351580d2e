import { processEnvironment } from '../../config/terminal.ts';
import { DeniedError } from '../../kernel/errors.ts';
import { NESTED_ALLOWED, SESSION_MARKER } from '../../process/child-env.ts';

/** An agent inside a session that starts another one is a loop that costs money. */
export function refuseInside(env = processEnvironment()): void {
  const session = env[SESSION_MARKER];
  if (session === undefined || env[NESTED_ALLOWED] === '1') return;
  throw new DeniedError(`This runs inside session ${session}, which may not start another one.`, {
    next: `Do the work itself; or let the task start sessions with "env": {"${NESTED_ALLOWED}": "1"}.`,
  });
}

/** What a session asks and delivers is decided by a person, not by what it has started itself. */
export function refuseDecidingInside(env = processEnvironment()): void {
  const session = env[SESSION_MARKER];
  if (session === undefined || env[NESTED_ALLOWED] === '1') return;
  throw new DeniedError(`This runs inside session ${session}, and only a person decides about sessions.`, {
    next: 'Do it in a terminal of your own.',
  });
}
