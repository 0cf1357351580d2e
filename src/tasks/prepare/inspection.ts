import { join, posix } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import type { BeforeWork } from '../../verification/before-work.ts';
import type { InspectionPort } from '../../workers/services.ts';
import { withCandidateFolder } from '../../workspace/delivery/candidate-folder.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { GitTrees } from '../../workspace/inspection/git-trees.ts';
import { undelivered } from '../../workspace/inspection/undelivered.ts';
import { madeFrom, setUp } from './make-ready.ts';
import { packagesOf, setUpForPackages } from './other-packages.ts';

export interface Inspected {
  readonly id: string;
  /** The commit that the work began from. */
  readonly base: () => Promise<string>;
  /** The files as they would be delivered now. */
  readonly delivered: () => Promise<string>;
  /** What no change shows, as it was before an agent came. */
  readonly before?: () => Promise<BeforeWork | undefined>;
  /** What a person allowed since, from the top of the repository. */
  readonly opened?: () => readonly string[];
  /** The top of the worktree that the work is done in. */
  readonly folder: string;
  /** The folder whose files such as `.env` are brought along; the checkout when left out. */
  readonly from?: string;
}

/** Where the folders of trees that are only tried are. */
function triedTreesOf({ stateDir }: Pick<Config, 'stateDir'>): string {
  return join(stateDir, 'candidates');
}

/**
 * Lets the trees of a piece of work be tried one after the other in one folder of their own, which is made ready once,
 * as a worktree is, when the first of them is asked for.
 */
export function inspectionOf(
  config: Config,
  repo: Repository,
  { id, base, delivered, before = nobodyLooked, opened = () => [], folder, from }: Inspected,
): InspectionPort {
  const trees = new GitTrees(new BoundGit(repo.dir));
  return {
    base,
    delivered,
    before,
    prefix: repo.prefix,
    reports: config.reports,
    oldTests: config.runtime.values.verify.oldTests,
    opened: () => opened().map((path) => (repo.prefix === '' ? path : posix.relative(repo.prefix, path))),
    fresh: config.runtime.values.verify.fresh,
    folder,
    async undelivered(tree) {
      const beside = (await before())?.beside;
      const checkout = from ?? madeFrom(repo, { id, path: folder }).from;
      return beside && undelivered(new BoundGit(repo.dir), { tree, top: folder, from: checkout }, beside);
    },
    remembered: new Map(),
    onlyTold: config.runtime.values.verify.suspicious === 'note',
    trees,
    async withFolder(action, cancel) {
      const baseCommit = await base();
      const tree = await trees.treeOf(baseCommit);
      const place = { repo, home: triedTreesOf(config) };
      return withCandidateFolder(place, { tree, baseCommit }, async ({ path, started }) => {
        const made = madeFrom(repo, { id: join(id, 'inspection'), path });
        const fresh = { ...made, from: from ?? made.from };
        await setUp(config, fresh, cancel);
        const git = new BoundGit(path);
        let packages = await packagesOf(git, tree);
        return action(async (wanted) => {
          await git.run(['read-tree', '--reset', '-u', wanted]);
          await git.run(['clean', '-q', '-f', '-d']);
          const needed = await packagesOf(git, wanted);
          if (needed !== packages) await setUpForPackages(config, fresh, cancel);
          packages = needed;
          return join(path, repo.prefix);
        }, started);
      });
    },
  };
}

const nobodyLooked = (): Promise<undefined> => Promise.resolve(undefined);
