import { action } from '../../kernel/action.ts';
import { ConflictError, type LoopwrightError, StorageError } from '../../kernel/errors.ts';
import { type AcceptOptions, type AcceptResult, accept } from '../../workspace/delivery/accept.ts';
import type { Refused } from '../../workspace/delivery/refusal.ts';

/** Work that somebody wants on its base branch: a session's or a task's. */
export interface Candidate extends AcceptOptions {
  /** Why the result is not proven on the very files that would be delivered; empty when it is. */
  readonly doubts: readonly string[];
}

export type Delivered = Exclude<AcceptResult, Refused>;

/**
 * The one way onto a base branch. What is not proven is refused unless a person says otherwise, and then the commit
 * says so for ever.
 */
export async function deliver(
  { doubts, ...work }: Candidate,
  { unproven = false, into }: { readonly unproven?: boolean; readonly into?: string } = {},
): Promise<Delivered> {
  if (doubts.length > 0 && !unproven) throw notProven(work.session, doubts, into);
  const result = await accept({ ...work, message: doubted(work.message, doubts) });
  if (result.kind === 'refused') throw refusal(result);
  return result;
}

function notProven(session: string, doubts: readonly string[], into: string | undefined): ConflictError {
  return new ConflictError(`The result of session ${session} is not proven: ${doubts.join('; ')}.`, {
    next: action('session.accept', 'Let it prove its result first, or accept it all the same', {
      session,
      ...(into === undefined ? {} : { into }),
      unproven: true,
    }),
  });
}

/** Says in the message what is not proven. */
export function doubted(
  message: string,
  doubts: readonly string[],
  when: 'accepted' | 'kept' = 'accepted',
): string {
  if (doubts.length === 0) return message;
  return `${message.trimEnd()}\n\nNot proven when it was ${when}:\n${doubts.map((doubt) => `- ${doubt}`).join('\n')}\n`;
}

/** A refusal as an error, with the files and the words of git or a hook in it. */
export function refusal({ message, next, files, output, reason }: Refused): LoopwrightError {
  const list = files.length === 0 ? '' : `\n${files.map((file) => `  ${file}`).join('\n')}`;
  const said = output.trim() === '' ? '' : `\n${output.trim()}`;
  const text = `${message}${list}${said}`;
  return reason === 'locked' ? new StorageError(text, { next }) : new ConflictError(text, { next });
}
