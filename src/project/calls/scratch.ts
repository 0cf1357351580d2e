import { join } from 'node:path';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { fileSidesOf } from '../../workspace/checkpoints/diff.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { withCandidateFolder } from '../../workspace/delivery/candidate-folder.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { diffText, summarizeDiff } from '../../workspace/git/tree-diff.ts';
import { GitTrees } from '../../workspace/inspection/git-trees.ts';
import { candidatesOf } from '../files/check-candidate.ts';
import { noCheckpoint } from '../files/fork.ts';
import { openKeptSession } from '../files/opened-session.ts';
import type { OpenProject } from '../open.ts';
import type { Experiment, ExperimentFile } from './experiment-file.ts';

export type Changes = Pick<Experiment, 'files' | 'diff'>;

/** Where an experiment works. */
export interface ScratchPlace {
  readonly top: string;
  readonly cwd: string;
  /** A prompt that names the folder of the session names this one instead. */
  readonly told: (prompt: string) => string;
  /** Notes a process that works there, so that whoever comes after a kill can end it. */
  readonly started: (process: ProcessIdentity) => void;
  readonly changes: () => Promise<Changes>;
}

const NOTHING: Changes = { files: [], diff: '' };
/** Past this, a file is named and counted, and not kept whole. */
const MOST_WHOLE = 100;

/** Gives an experiment the files from before its step in a folder that goes with it, or the project to read. */
export async function inScratch<T>(
  opened: OpenProject,
  { experiment, session, step, on }: Experiment,
  cancel: AbortSignal,
  action: (place: ScratchPlace) => Promise<T>,
): Promise<T> {
  if (on === 'project') {
    const { dir } = opened.project;
    return action({
      top: dir,
      cwd: dir,
      told: (prompt) => prompt,
      started: () => {},
      changes: async () => NOTHING,
    });
  }
  const { repo, checkpoints, path: original } = await openKeptSession(opened, session, { orTask: true });
  const checkpoint = await checkpoints.at(step - 1);
  if (!checkpoint) throw noCheckpoint(session, step - 1);
  const tree = await new GitTrees(new BoundGit(repo.dir)).treeOf(checkpoint.commit);
  const base = { tree, baseCommit: checkpoint.commit };
  return withCandidateFolder(candidatesOf(opened, repo), base, async ({ path, started }) => {
    await setUp(opened.config, madeFrom(repo, { id: join('experiments', experiment), path }), cancel);
    const files = new TreeCheckpoints(path, experiment);
    const before = await files.tree();
    return action({
      top: path,
      cwd: join(path, repo.prefix),
      told: (prompt) => prompt.replaceAll(original, path),
      started,
      changes: () => changesIn(files, before),
    });
  });
}

/** Read before the folder goes: what it changed is all that is left of it. */
function changesIn(files: TreeCheckpoints, before: string): Promise<Changes> {
  return files.use(async ({ git, index }) => {
    const after = await index.stage();
    const { files: changed } = await summarizeDiff(git, before, after);
    const whole: ExperimentFile[] = [];
    for (const [place, file] of changed.entries()) {
      const sides =
        place < MOST_WHOLE
          ? await fileSidesOf(git, { before, after }, file)
          : { before: null, after: null, unshown: 'large' as const };
      whole.push({ ...file, ...sides });
    }
    return { files: whole, diff: await diffText(git, before, after) };
  });
}
