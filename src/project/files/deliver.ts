import { type Action, action } from '../../kernel/action.ts';
import { ConflictError, type LoopwrightError, StorageError } from '../../kernel/errors.ts';
import type { Masker } from '../../kernel/mask.ts';
import { type AcceptOptions, type AcceptResult, accept } from '../../workspace/delivery/accept.ts';
import type { Refused } from '../../workspace/delivery/refusal.ts';
import { SecretInChangeError, secretsInChange, secretsInText } from '../../workspace/delivery/secret-scan.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';

/** Work that somebody wants on its base branch: a session's or a task's. */
export interface Candidate extends AcceptOptions {
  readonly masker: Masker;
  /** What a person does to let secrets in the change leave; accepting the session with a reason when left out. */
  readonly acceptWith?: Action | undefined;
  /** Why a person lets secrets in the change leave; the commit says so. */
  readonly acceptSecrets?: string | undefined;
  /** Why the result is not proven on the very files that would be delivered; empty when it is. */
  readonly doubts: readonly string[];
}

export type Delivered = Exclude<AcceptResult, Refused>;

/**
 * The one way onto a base branch. What is not proven is refused unless a person says otherwise, and then the commit
 * says so for ever.
 */
export async function deliver(
  { doubts, masker, acceptSecrets, acceptWith, ...work }: Candidate,
  { unproven = false, into }: { readonly unproven?: boolean; readonly into?: string } = {},
): Promise<Delivered> {
  if (doubts.length > 0 && !unproven) throw notProven(work.session, doubts, into);
  const secrets = await refuseSecrets({ ...work, masker, acceptSecrets, acceptWith });
  const message = [doubted(work.message, doubts).trimEnd(), ...secrets].join('\n\n');
  const result = await accept({ ...work, message });
  if (result.kind === 'refused') throw refusal(result);
  return result;
}

export const ACCEPT_SECRETS = 'Take it out of the change, or accept it with a reason, which is recorded';

/** The words for the commit where a person accepts secrets in a change; throws where nobody does. */
export async function refuseSecrets({
  repo,
  branch,
  base,
  tree,
  session,
  message,
  masker,
  acceptSecrets,
  acceptWith,
}: Pick<
  Candidate,
  'repo' | 'branch' | 'base' | 'tree' | 'session' | 'message' | 'masker' | 'acceptSecrets' | 'acceptWith'
>): Promise<string[]> {
  const git = new BoundGit(repo);
  const head = await git.try(['rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`]);
  const commit = head.stdout.trim();
  // What is missing is for the delivery to say.
  if (head.code !== 0) return [];
  const fork = await git.try(['merge-base', base, commit]);
  if (fork.code !== 0) return [];
  const change = { from: fork.stdout.trim(), tree: tree ?? commit, commit };
  const found = [
    ...(await secretsInChange(git, change, masker)),
    ...secretsInText('the commit message', message, masker),
  ];
  if (found.length === 0) return [];
  if (acceptSecrets !== undefined && acceptSecrets.trim() !== '')
    return [`Secrets in the change were accepted by a person: ${acceptSecrets.trim()}`];
  const accepting = action('session.accept', ACCEPT_SECRETS, { session, acceptSecrets: '<reason>' });
  throw new SecretInChangeError(found, acceptWith ?? accepting);
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
