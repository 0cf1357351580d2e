import { UsageError } from '../../kernel/errors.ts';

/** What loses work, or takes it from somebody, is asked for by the name of the thing. */
export function requireConfirmed(id: string, said: string | undefined, what: string): void {
  if (said === id) return;
  throw new UsageError(`${what} asks for the id of what it is about.`, {
    next: 'Give it as "confirm", whole, after somebody was asked.',
  });
}
