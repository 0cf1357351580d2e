import type { Run, TaskHistory } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { mergeDelivered } from '../../tasks/github/pull-request.ts';
import { fetchRequest } from '../../tasks/prepare/git/github.ts';
import { mergeTrees } from '../../workspace/delivery/merge-trees.ts';
import { TASK_TRAILER } from '../../workspace/delivery/message.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { checkCandidate } from '../files/check-candidate.ts';
import { type Check, checkLines, shortTree } from '../files/checks.ts';
import { doubted } from '../files/deliver.ts';
import { acceptedSuspicious } from '../files/suspicious.ts';
import type { OpenRuntime } from '../runtime/open-runtime.ts';
import { type ApproveRequest, suspiciousOf } from './accept-branch.ts';
import { reportOfRun, verifiedCommands } from './verified-commands.ts';

/** How often the base may move under the checks. */
const TRIES = 3;

export interface MergedRequest {
  /** The pull request. */
  readonly merged: string;
  readonly unchecked: readonly string[];
}

interface Merging {
  readonly runtime: OpenRuntime;
  readonly task: Task;
  readonly run: Run | undefined;
  readonly base: string;
  readonly branch: string;
  /** The one that was verified: what somebody pushed since is not merged along unseen. */
  readonly commit: string;
  readonly request: ApproveRequest;
}

/**
 * Merges the pull request of a task. What its base gets is a tree that the checks have passed on: where the base has
 * moved on GitHub, they run on what it would become, and red is refused, as for a branch of this repository.
 */
export async function mergeRequest(
  runtime: OpenRuntime,
  task: Task,
  { artifacts, runs }: TaskHistory,
  request: ApproveRequest,
): Promise<MergedRequest> {
  const last = (type: string) => artifacts.findLast((artifact) => artifact.type === type);
  const [pull, branch, commit] = [last('pr'), last('branch'), last('commit')?.ref];
  if (!pull)
    throw new ConflictError('No pull request was recorded.', { next: 'Approve it without merging.' });
  const options = { config: runtime.opened.config, repository: runtime.settings.repository };
  const base = branch?.data?.['base'];
  if (!branch || typeof base !== 'string' || commit === undefined)
    throw new ConflictError(`Task ${task.id} has recorded no branch, so nobody can say what was checked.`, {
      next: `Look at ${pull.ref}, merge it on GitHub, and approve it without merging.`,
    });
  const run = runs.findLast(({ id }) => id === branch.runId);
  const merging = { runtime, task, run, base, branch: branch.ref, commit, request };
  for (let attempt = 1; ; attempt++) {
    const { baseCommit, message, unchecked } = await prove(merging);
    const { baseCommit: now } = await fetchRequest(options, merging);
    if (now === baseCommit) {
      await mergeDelivered(options, pull, { commit, ...(message === undefined ? {} : { message }) });
      return { merged: pull.ref, unchecked };
    }
    if (attempt === TRIES)
      throw new ConflictError(
        `${base} moved ${TRIES} times while the checks ran on what it would become, so nothing was merged.`,
        { next: action('task.approve', 'Try again when it is quiet', { task: task.id, merge: true }) },
      );
  }
}

interface Proven {
  readonly baseCommit: string;
  /** For the commit on the base, where it has more to say than the pull request. */
  readonly message?: string;
  readonly unchecked: readonly string[];
}

async function prove(merging: Merging): Promise<Proven> {
  const { runtime, task, run, base, commit, request } = merging;
  const { opened, settings } = runtime;
  const checks = verifiedCommands(opened, task, reportOfRun(run?.outcome));
  const options = { config: opened.config, repository: settings.repository };
  const { dir, baseCommit } = await fetchRequest(options, merging);
  const git = new BoundGit(dir);
  const tree = await candidateOf(git, baseCommit, merging);
  const had = await git.out(['rev-parse', `${baseCommit}^{tree}`]);
  const accepted = acceptedSuspicious(suspiciousOf(opened, run), request.suspicious);
  const saying = (lines: readonly string[]): { readonly message?: string } =>
    lines.length === 0 ? {} : { message: [...lines, `${TASK_TRAILER}: ${task.id}`].join('\n\n') };
  const isSeen = checks.seen.length === 0 || checks.tree === tree || tree === had;
  if (isSeen) return { baseCommit, unchecked: [], ...saying(accepted) };
  if (request.unproven === true) {
    const unseen = `no check has seen the tree ${shortTree(tree)} that ${base} gets: it differs from the one they passed on`;
    const words = doubted(evidenceOf(checks.seen), [unseen]).trimEnd();
    return { baseCommit, unchecked: [`although ${unseen}`], ...saying([words, ...accepted]) };
  }
  const seen = await checkCandidate(
    opened,
    dir,
    {
      id: task.id,
      base,
      baseCommit,
      tree,
      checks,
      from: opened.config.projectDir,
      repair: ({ command = '' }) => reworkOn(merging, `${command} fails with what ${base} has now`),
    },
    request,
  );
  const unchecked = [`checked once more on what ${base} becomes with ${commit.slice(0, 12)}`];
  return { baseCommit, unchecked, ...saying([evidenceOf(seen), ...accepted]) };
}

function evidenceOf(checks: readonly Check[]): string {
  return ['Checked:', ...checkLines(checks)].join('\n');
}

/** The tree that the base would have. Nothing is changed by finding it out. */
async function candidateOf(git: BoundGit, baseCommit: string, merging: Merging): Promise<string> {
  const merged = await mergeTrees(git, baseCommit, merging.commit);
  if (merged.kind === 'clean') return merged.tree;
  const { base } = merging;
  throw new ConflictError(
    `${base} has changed on GitHub in the same places as the work, so nothing was merged: ${merged.files.join(', ')}`,
    { next: reworkOn(merging, `${base} has changed in the same places: ${merged.files.join(', ')}`) },
  );
}

function reworkOn({ task, base }: Merging, notes: string) {
  return action('task.rework', `Have it done with what ${base} has now`, { task: task.id, notes });
}
