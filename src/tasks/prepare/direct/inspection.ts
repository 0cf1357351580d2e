import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/load-config.ts';
import type { BeforeWork } from '../../../verification/before-work.ts';
import type { InspectionPort } from '../../../workers/services.ts';
import { type FilesOf, PrivateTrees } from '../../../workspace/inspection/private-trees.ts';
import { takeSnapshot } from '../../../workspace/snapshot/take-snapshot.ts';
import { inspectionOf } from '../inspection.ts';
import type { Beginning } from './beginning.ts';
import type { RunFolders } from './run-folder.ts';

export interface DirectInspection {
  readonly config: Config;
  readonly root: string;
  readonly beginning: Beginning;
  readonly folders: RunFolders;
  readonly before: BeforeWork | undefined;
}

/**
 * Lets the checks of a direct task be looked at: the copies that were kept before the agent came against the files of
 * now, in a repository of our own, so that the user's git is neither needed nor touched. Undefined without git.
 */
export async function directInspection(options: DirectInspection): Promise<InspectionPort | undefined> {
  const { config, root, beginning, folders, before } = options;
  const home = folders.inspectionOf(beginning.run);
  const trees = await PrivateTrees.in(join(home, 'trees'));
  if (!trees) return undefined;
  const base = async () =>
    trees.commit(await trees.write(filesBefore(options)), 'loopwright: the files before a direct task');
  let commit: Promise<string> | undefined;
  return inspectionOf(withOwnDependencies(config, root), trees.repo, {
    id: beginning.run,
    base: () => (commit ??= base()),
    delivered: () => trees.write([{ root, paths: takeSnapshot(root).files.keys() }]),
    before: () => Promise.resolve(before),
    from: root,
    home: join(home, 'tried'),
  });
}

/** What was kept; a file too large for that is as it is now, as far as nobody has written it since. */
function filesBefore({ root, beginning, folders }: DirectInspection): FilesOf[] {
  const { before, run } = beginning;
  const paths = [...before.files.keys()];
  const isKept = (path: string) => existsSync(folders.copyOf(run, path));
  const now = takeSnapshot(root).files;
  const isUntouched = (path: string) => {
    const [then, here] = [before.files.get(path), now.get(path)];
    return then?.mtimeMs === here?.mtimeMs && then?.size === here?.size;
  };
  return [
    { root: folders.copyOf(run, ''), paths: paths.filter(isKept) },
    { root, paths: paths.filter((path) => !isKept(path) && isUntouched(path)) },
  ];
}

/** What the work was checked with is there: trying other trees needs the same, and no setup. */
function withOwnDependencies(config: Config, root: string): Config {
  const share = ['node_modules', '.venv', ...config.worktrees.share].filter((folder) =>
    existsSync(join(root, folder)),
  );
  return { ...config, worktrees: { ...config.worktrees, share: [...new Set(share)], setup: [] } };
}
