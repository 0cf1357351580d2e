import { type Action, action } from '../../kernel/action.ts';
import { ConflictError, type LoopwrightError, StorageError } from '../../kernel/errors.ts';
import type { Masker } from '../../kernel/mask.ts';
import type { SuspiciousChanges } from '../../verification/suspicious/segment.ts';
import { type AcceptOptions, type AcceptResult, accept } from '../../workspace/delivery/accept.ts';
import { buildCandidate } from '../../workspace/delivery/candidate.ts';
import type { Refused } from '../../workspace/delivery/refusal.ts';
import { SecretInChangeError, secretsInChange, secretsInText } from '../../workspace/delivery/secret-scan.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { OpenProject } from '../open.ts';
import { type AcceptCompany, checkCandidate, type Unchecked } from './check-candidate.ts';
import { type Check, type Checks, shortTree } from './checks.ts';
import type { Proposed, Proposing } from './propose.ts';
import { acceptedSuspicious, notedChanges, refuseSuspicious } from './suspicious.ts';

/** Work that somebody wants on its base branch: a session's or a task's. */
export interface Work extends Omit<AcceptOptions, 'message' | 'checked'> {
  readonly opened: OpenProject;
  /** `session <id>` or `task <id>`. */
  readonly who: string;
  /** The commit message, with the checks that speak for what is delivered. */
  readonly message: (checks: readonly Check[]) => string;
  readonly masker: Masker;
  /** What a person does to let secrets in the change leave; accepting the session with a reason when left out. */
  readonly acceptWith?: Action | undefined;
  /** Why a person lets secrets in the change leave; the commit says so. */
  readonly acceptSecrets?: string | undefined;
  /** Why the result is not proven, wherever it would be delivered; empty when it is. */
  readonly doubts: readonly string[];
  readonly checks: Checks;
  /** What the engine found about the checks themselves. */
  readonly suspicious?: SuspiciousChanges | undefined;
  /** Accepting it with something that was missing. */
  readonly acceptIt: (
    input: { readonly unproven?: true; readonly suspicious?: string },
    label: string,
  ) => Action;
  /** Where it goes instead of the local base. */
  readonly proposing?: Proposing | undefined;
  /** What to do when its checks fail on what the base would become. */
  readonly repair: Unchecked['repair'];
}

export interface DeliverRequest extends AcceptCompany {
  /** Although nothing proves the result. */
  readonly unproven?: boolean;
  /** Why changes that make the checks worth less may be delivered. */
  readonly suspicious?: string;
}

export type Delivered = Exclude<AcceptResult, Refused> | Proposed;

/** How often the base may move under the checks. */
const TRIES = 3;

/**
 * The one way onto a base branch. What lands is a tree that the checks have passed on: where the base has moved, they
 * run on what it would become. What is not proven is refused unless a person says otherwise, and then the commit says
 * so for ever.
 */
export async function deliver(given: Work, request: DeliverRequest = {}): Promise<Delivered> {
  const { unproven = false } = request;
  let work = given;
  if (work.doubts.length > 0 && !unproven) throw notProven(work, work.doubts);
  if (work.suspicious) refuseSuspicious(work.suspicious, request.suspicious, work);
  // What the remote does not have leaves with it, also what the local base has already.
  const from = work.proposing?.onto ?? work.base;
  const secrets = await refuseSecrets({ ...work, base: from, message: work.message(work.checks.seen) });
  const said = [
    ...acceptedSuspicious(work.suspicious, request.suspicious),
    ...notedChanges(work.suspicious),
    ...secrets,
  ];
  for (let attempt = 1; ; attempt++) {
    const onto = work.proposing ? { onto: work.proposing.onto } : {};
    const candidate = await buildCandidate({ ...work, ...onto, message: '' });
    if (candidate.kind === 'refused') throw refusal(candidate);
    if (candidate.kind !== 'planned') return candidate;
    const proof = await proofOn(work, candidate, request);
    if (proof.doubts.length > 0 && !unproven) throw notProven(work, proof.doubts);
    const message = [doubted(work.message(proof.checks), proof.doubts).trimEnd(), ...said].join('\n\n');
    const checked = unproven || proof.checks.length === 0 ? {} : { checked: candidate.tree };
    const land = work.proposing?.land ?? accept;
    const result = await land({ ...work, ...onto, message, ...checked });
    if (result.kind !== 'refused') return result;
    if (result.reason === 'rewritten') work = { ...work, tree: await treeOf(work) };
    else if (result.reason !== 'base-moved' || checked.checked === undefined) throw refusal(result);
    if (attempt === TRIES) throw restless(work, result);
  }
}

/** What speaks for the tree that the base would get: what was seen before, if that is the tree, else checks of now. */
async function proofOn(
  work: Work,
  { tree, baseCommit }: { readonly tree: string; readonly baseCommit: string },
  { unproven = false, ...company }: DeliverRequest,
): Promise<{ readonly checks: readonly Check[]; readonly doubts: readonly string[] }> {
  const { checks, doubts, base, session: id, repair } = work;
  if (checks.seen.length === 0) return { checks: checks.seen, doubts };
  if (checks.tree === tree) return proofAlone(work, { tree, baseCommit }, { unproven, ...company });
  if (unproven) {
    const unseen = `no check has seen the tree ${shortTree(tree)} that ${base} gets: it differs from the one they passed on`;
    return { checks: checks.seen, doubts: [...doubts, unseen] };
  }
  const open = checks.unrepeatable.map((why) => `${why}, and ${base} has moved since it passed`);
  if (open.length > 0) return { checks: checks.seen, doubts: [...doubts, ...open] };
  const candidate = { id, base, baseCommit, tree, checks, repair };
  return { checks: await checkCandidate(work.opened, work.repo, candidate, company), doubts };
}

/** They passed on this tree, but may have leant on what is in their folder and not in it. */
async function proofAlone(
  { opened, checks, doubts, base, session: id, repo, repair }: Work,
  { tree, baseCommit }: { readonly tree: string; readonly baseCommit: string },
  { unproven = false, ...company }: DeliverRequest,
): Promise<{ readonly checks: readonly Check[]; readonly doubts: readonly string[] }> {
  const { leantOn = [], seen, commands } = checks;
  if (leantOn.length === 0 || commands.length === 0) return { checks: seen, doubts };
  if (unproven) {
    const unseen = `its checks ran beside what is not delivered: ${leantOn.join(', ')}`;
    return { checks: seen, doubts: [...doubts, unseen] };
  }
  const why = `the checks ran beside what is not delivered (${leantOn[0]}): running them on a fresh checkout`;
  const candidate = { id, base, baseCommit, tree, checks, repair, why };
  const again = await checkCandidate(opened, repo, candidate, company);
  return { checks: seen.map((check) => again.find(({ name }) => name === check.name) ?? check), doubts };
}

/** What the hooks of the repository made of the work when they committed it. */
async function treeOf({ repo, branch }: Work): Promise<string> {
  return new BoundGit(repo).out(['rev-parse', `refs/heads/${branch}^{tree}`]);
}

function restless({ base, acceptIt }: Work, { files }: Refused): ConflictError {
  const which = files.length === 0 ? '' : ` (${files.join(', ')})`;
  return new ConflictError(
    `What ${base} would become changed ${TRIES} times while its checks ran${which}, so nothing was delivered.`,
    { next: acceptIt({}, 'Try again when it is quiet') },
  );
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
}: Pick<Work, 'repo' | 'branch' | 'base' | 'tree' | 'session' | 'masker' | 'acceptSecrets' | 'acceptWith'> & {
  readonly message: string;
}): Promise<string[]> {
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

function notProven({ who, acceptIt }: Work, doubts: readonly string[]): ConflictError {
  return new ConflictError(`The result of ${who} is not proven: ${doubts.join('; ')}.`, {
    next: acceptIt({ unproven: true }, 'Let it prove its result first, or accept it all the same'),
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
