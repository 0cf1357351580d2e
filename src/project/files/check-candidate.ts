import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { logFolderOf, madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { packagesOf, setUpForPackages } from '../../tasks/prepare/other-packages.ts';
import { type CandidatePlace, withCandidateFolder } from '../../workspace/delivery/candidate-folder.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import type { OpenProject } from '../open.ts';
import { type Checks, type Repeated, shortTree } from './checks.ts';

/** What whoever waits for an accept decides, and is told. */
export interface AcceptCompany {
  /** Ends the checks; nothing is delivered then. */
  readonly cancel?: AbortSignal;
  /** Called when something begins that takes a while. */
  readonly onPreparing?: (what: string) => void;
}

export interface Unchecked {
  /** Session or task. */
  readonly id: string;
  readonly base: string;
  readonly baseCommit: string;
  readonly tree: string;
  readonly checks: Checks;
  /** Whose files it is made ready with; those of the repository's checkout when left out. */
  readonly from?: string;
  /** Why they are run; because the base has moved when left out. */
  readonly why?: string;
  /** What to do when a check fails. */
  readonly repair: (failed: Repeated) => Action;
}

/** Where the files of candidates are while they are checked. */
export function candidatesOf({ project }: Pick<OpenProject, 'project'>, repo: Repository): CandidatePlace {
  return { repo, home: join(project.folder, 'candidates') };
}

/**
 * Runs the checks of a piece of work on the very tree that its base would get, made ready as its worktree was. Throws
 * where one fails: the base stays as it is.
 */
export async function checkCandidate(
  opened: OpenProject,
  repoDir: string,
  { id, base, baseCommit, tree, checks, from, why, repair }: Unchecked,
  { cancel = new AbortController().signal, onPreparing }: AcceptCompany,
): Promise<readonly Repeated[]> {
  const repo = await openRepository(repoDir);
  const what = checks.commands.map((command) => `\`${command}\``).join(', ');
  const because = why ?? `${base} would become what no check has seen: running the checks on it`;
  onPreparing?.(`${because}: ${what}`);
  const logs = join(id, 'candidate');
  const logFolder = logFolderOf(opened.config.stateDir, logs);
  mkdirSync(logFolder, { recursive: true, mode: 0o700 });
  const done = await withCandidateFolder(
    candidatesOf(opened, repo),
    { tree, baseCommit },
    async ({ id: folder, path, started }) => {
      const made = madeFrom(repo, { id: logs, path });
      const fresh = { ...made, from: from ?? made.from };
      await setUp(opened.config, fresh, cancel);
      // A setup of its own has seen this very tree; what is shared is that of the checkout.
      const git = new BoundGit(path);
      const isOther = (await packagesOf(git, tree)) !== (await packagesOf(git, baseCommit));
      if (isOther && opened.config.worktrees.setup.length === 0)
        await setUpForPackages(opened.config, fresh, cancel);
      return checks.repeat({
        id: `${id}-${folder}`,
        tree,
        root: join(path, repo.prefix),
        cancel,
        started,
        logFile: (name) => join(logFolder, name),
      });
    },
  );
  if (cancel.aborted) throw new UsageError('It was interrupted, and nothing was delivered.');
  const failed = done.find(({ passed }) => !passed);
  if (failed) throw redCandidate(base, failed, repair(failed));
  return done;
}

function redCandidate(base: string, failed: Repeated, next: Action): ConflictError {
  const { name, command, said, tree = '', log } = failed;
  const what = command === undefined ? name : `\`${command}\` (${name})`;
  return new ConflictError(
    `With this work ${base} would fail its checks, so nothing was delivered. ${what} fails on the tree ${shortTree(tree)}: ${said}\nThe whole log: ${log}`,
    { next },
  );
}
