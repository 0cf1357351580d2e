import { existsSync, lstatSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../config/load-config.ts';
import type { BeforeWork } from '../../../verification/before-work.ts';
import type { InspectionPort } from '../../../workers/services.ts';
import { BoundGit } from '../../../workspace/git/bound-git.ts';
import { GitNotStartedError } from '../../../workspace/git/git-error.ts';
import { GitTrees } from '../../../workspace/inspection/git-trees.ts';
import { type FileStamp, type Snapshot, takeSnapshot } from '../../../workspace/snapshot/take-snapshot.ts';
import { setUp } from '../make-ready.ts';

interface DirectInspection {
  readonly run: string;
  readonly root: string;
  readonly before: Snapshot;
  readonly copyOf: (path: string) => string;
  /** Of this run; made when somebody looks, and gone with the run. */
  readonly folder: string;
  readonly look: BeforeWork | undefined;
}

/**
 * The user's own folder has no base to compare with, but a copy of every file as it was: both are written as trees of a
 * repository that is made for that alone. The user's own repository is not asked.
 */
export function directInspection(config: Config, options: DirectInspection): InspectionPort {
  const { run, root, before, copyOf, folder, look } = options;
  const git = new BoundGit(folder);
  const { verify } = config.runtime.values;
  let made: Promise<{ readonly base: string; readonly delivered: string } | undefined> | undefined;
  const make = async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await hasBegun(git))) return undefined;
    const now = takeSnapshot(root);
    const here = (path: string) => join(root, path);
    const then = (path: string) => (isSame(path, before, now) ? here(path) : copyOf(path));
    return {
      base: await writeFiles(git, before.files.keys(), then),
      delivered: await writeFiles(git, now.files.keys(), here),
    };
  };
  return {
    base: async () => {
      // Each look begins with the files as they are now.
      made = make();
      return (await made)?.base;
    },
    delivered: async () => (await (made ??= make()))?.delivered ?? '',
    before: async () => look,
    prefix: '',
    reports: config.reports,
    oldTests: verify.oldTests,
    opened: () => [],
    fresh: 'off',
    folder: root,
    // What is there stays there: nothing is taken from it to be delivered.
    undelivered: async () => [],
    remembered: new Map(),
    onlyTold: verify.suspicious === 'note',
    trees: new GitTrees(git),
    async withFolder(action, cancel) {
      const fresh = { id: join(run, 'inspection'), path: folder, prefix: '', from: root };
      await setUp(withDependencies(config, root), fresh, cancel);
      return action(async (tree) => {
        await git.run(['read-tree', '--reset', '-u', tree]);
        await git.run(['clean', '-q', '-f', '-d', ...DEPENDENCIES.flatMap((name) => ['-e', name])]);
        return folder;
      }, noted);
    },
  };
}

/** The processes of a task are noted in its journal. */
const noted = (): void => undefined;

/** Working in the user's own folder needs no git; without it there is nothing to compare with. */
async function hasBegun(git: BoundGit): Promise<boolean> {
  try {
    await git.run(['init', '-q', '.']);
    return true;
  } catch (error) {
    if (error instanceof GitNotStartedError) return false;
    throw error;
  }
}

/** What no tree has and most checks need. */
const DEPENDENCIES = ['node_modules', '.venv'];

/** The work was checked with what is installed there, so the trees are too. */
function withDependencies(config: Config, root: string): Config {
  const { worktrees } = config;
  const there = DEPENDENCIES.filter((folder) => existsSync(join(root, folder)));
  const share = [...new Set([...worktrees.share, ...there])];
  return { ...config, worktrees: { ...worktrees, share, unsaid: false } };
}

/** Its stamp has not changed, so neither have its contents as far as a snapshot can tell. */
function isSame(path: string, before: Snapshot, now: Snapshot): boolean {
  const [then, is]: (FileStamp | undefined)[] = [before.files.get(path), now.files.get(path)];
  return then !== undefined && is !== undefined && then.mtimeMs === is.mtimeMs && then.size === is.size;
}

/** The tree of some files, byte by byte. What has no copy is in neither tree, so it is never taken for a change. */
async function writeFiles(
  git: BoundGit,
  paths: Iterable<string>,
  fileOf: (path: string) => string,
): Promise<string> {
  const files = [...paths].flatMap((path) => {
    const file = fileOf(path);
    return existsSync(file) && !/[\n\0]/.test(file) ? [{ path, file }] : [];
  });
  const input = files.map(({ file }) => `${file}\n`).join('');
  const ids = await git.out(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input });
  const blobs = ids.split('\n');
  const entries = files.map(({ path, file }, i) => {
    const mode = (lstatSync(file).mode & 0o111) === 0 ? '100644' : '100755';
    return `${mode} ${blobs[i]}\t${path}\0`;
  });
  await git.run(['read-tree', '--empty']);
  await git.run(['update-index', '-z', '--index-info'], { input: entries.join('') });
  return git.out(['write-tree']);
}
