import { join } from 'node:path';
import { LoopwrightError } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';
import type { GitOutcome } from '../git/git-error.ts';
import { splitZ } from '../git/tree-diff.ts';
import { Excluded, isWithin } from './excluded.ts';
import { IndexFile } from './index-file.ts';
import { findNested, stillNested } from './nested.ts';
import { RealIndex } from './real-index.ts';
import { withSizeLimit } from './too-large.ts';

/** Nothing that the user or an agent configured may hide a change, and no helper process is started. */
const PLAIN = ['-c', 'core.fsmonitor=false', '-c', 'core.splitIndex=false', '-c', 'core.safecrlf=false'];
const NESTED_MET = /adding embedded git repository|does not have a commit checked out/;
const IGNORED_MET = /^The following paths are ignored by one of your \.gitignore files:$/;
const UNUSABLE =
  /index file corrupt|index file smaller|bad (?:index|signature)|bad index file|invalid object|error building trees|index uses .* extension/i;

export interface PrivateIndexOptions {
  readonly gitDir: string;
  /** Paths that stay out, relative to the top, beside those that setup is known to have copied in. */
  readonly exclude: readonly string[];
}

/**
 * The files of a worktree as git sees them, in an index of our own. Invariants:
 * 1. The worktree's real index is read, and written only by `writeReal`.
 * 2. After `stage` the private index is exactly the files on disk: tracked ones and those that git would
 *    track; without what is excluded, and with repositories inside left as they were.
 * 3. When nothing has changed, `stage` costs one git command, even while git still rewrites its index because
 *    the files are hardly older than it.
 */
export class PrivateIndex {
  readonly excluded: Excluded;
  readonly #git: BoundGit;
  readonly #file: IndexFile;
  readonly #real: RealIndex;
  #seeded = false;
  #submodules: readonly string[] = [];
  #nested: readonly string[] = [];
  #known: { readonly identity: string; readonly tree: string } | undefined;
  #lastStage: { readonly from: string; readonly to: string; readonly changed: readonly string[] } | undefined;

  constructor(git: BoundGit, { gitDir, exclude }: PrivateIndexOptions) {
    this.excluded = new Excluded(gitDir, exclude);
    this.#file = new IndexFile(gitDir);
    this.#real = new RealIndex(join(gitDir, 'index'));
    this.#git = git.with({ GIT_INDEX_FILE: this.#file.path });
  }

  /** git that works on this index. */
  get git(): BoundGit {
    return this.#git;
  }

  /** Repositories inside the tree as of the last `stage`; they are left alone. */
  get nested(): readonly string[] {
    return [...this.#submodules, ...this.#nested].sort();
  }

  /** Brings the index up to the files on disk and gives the id of their tree. */
  async stage(): Promise<string> {
    try {
      return await this.#stage();
    } catch (error) {
      if (!(error instanceof LoopwrightError) || !UNUSABLE.test(error.message)) throw error;
      // Damaged, or its objects are gone: it is only a cache, so it is made again from the real index.
      await this.#file.drop();
      this.#seeded = false;
      return this.#stage();
    }
  }

  /** Makes the real index hold a tree, by a copy where this one holds just that: git would read every file again. */
  async writeReal(tree: string): Promise<void> {
    const isThis = this.#known?.tree === tree && this.#known.identity === this.#file.identity();
    if (isThis && (await this.#file.copyOver(this.#real.path))) return;
    await this.#git.with({ GIT_INDEX_FILE: this.#real.path }).run(['read-tree', '--reset', tree]);
  }

  /** The paths that differ between two trees, when the last `stage` led from one to the other; else unknown. */
  changedBetween(from: string, to: string): readonly string[] | undefined {
    const last = this.#lastStage;
    return last?.from === from && last.to === to ? last.changed : undefined;
  }

  /**
   * Takes the files for a tree that somebody knows them to be. A new index is made before anybody works on them,
   * so that no mark in the real one can hide what is done to them later.
   */
  async startFrom(tree: string): Promise<string> {
    if (this.#seeded) return tree;
    const real = await this.#open();
    real?.remember();
    this.#known = { identity: this.#file.identity() ?? '', tree };
    return tree;
  }

  async #stage(): Promise<string> {
    this.#lastStage = undefined;
    const start = this.#file.identity();
    const real = await this.#open();
    const from = this.#known?.identity === start ? this.#known?.tree : undefined;
    this.#nested = await stillNested(this.#git.cwd, this.#nested);
    const changed = await this.#addAll();
    const forced = real ? await this.#updateForced(real.forced) : false;
    real?.remember();
    const isKnown = from !== undefined && changed !== undefined && !forced;
    const tree = isKnown && changed.length === 0 ? from : await this.#git.out([...PLAIN, 'write-tree']);
    // Writing the tree also stores its ids in the index.
    this.#known = { identity: this.#file.identity() ?? '', tree };
    if (isKnown) this.#lastStage = { from, to: tree, changed };
    return tree;
  }

  /** Makes the index where there is none yet. Gives what the real one holds if that has changed. */
  async #open() {
    const isNew = !this.#seeded || this.#file.identity() === undefined;
    if (isNew) await this.#seed();
    const trust = isNew ? this.#trustNothing() : undefined;
    const [real] = await Promise.all([this.#real.readChanged(this.#git), trust]);
    this.#seeded = true;
    if (real) this.#submodules = real.submodules;
    return real;
  }

  async #seed(): Promise<void> {
    this.#known = undefined;
    this.#real.forget();
    if (!(await this.#file.seed(this.#real.path))) {
      const head = await this.#git.try(['rev-parse', '-q', '--verify', 'HEAD^{tree}']);
      const start = head.code === 0 ? head.stdout.trim() : '--empty';
      await this.#git.run([...PLAIN, 'read-tree', start]);
    }
  }

  /** Marks by which git was told not to look at a file would hide what an agent does to it. */
  async #trustNothing(): Promise<void> {
    const { stdout } = await this.#git.run([...PLAIN, 'ls-files', '-v', '-z']);
    const marked = splitZ(stdout).filter((line) => /^[a-z] /.test(line) && !line.startsWith('s'));
    if (marked.length === 0) return;
    const input = marked.map((line) => `${line.slice(2)}\0`).join('');
    await this.#git.run([...PLAIN, 'update-index', '--no-assume-unchanged', '-z', '--stdin'], { input });
  }

  /** The paths that were brought up to date, undefined when git's list of them cannot be relied on. */
  async #addAll(): Promise<readonly string[] | undefined> {
    const add = async () => [
      ...PLAIN,
      'add',
      '-A',
      '-v',
      '--',
      ...(await this.excluded.pathspecs(this.nested)),
    ];
    const first = await this.#limited(await add());
    const metNested = NESTED_MET.test(first.stderr);
    if (isAllAdded(first) && !metNested) return addedPaths(first.stdout);
    if (metNested) {
      const found = await findNested(this.#git, this.nested);
      this.#nested = [...new Set([...this.#nested, ...found])];
    }
    // Also a second try for what a file that vanished in the middle has upset.
    const again = await add();
    if (!isAllAdded(await this.#limited(again))) await this.#git.run(again);
    return undefined;
  }

  #limited(args: readonly string[]): Promise<GitOutcome> {
    const isIgnored = async (path: string) =>
      (await this.excluded.has(path)) || (await this.#git.try(['check-ignore', '-q', '--', path])).code === 0;
    return withSizeLimit(this.#git.cwd, isIgnored, (signal) => this.#git.try(args, { signal }));
  }

  async #updateForced(forced: readonly string[]): Promise<boolean> {
    const left = [...(await this.excluded.paths()), ...this.#submodules];
    const paths = forced.filter((path) => !isWithin(path, left));
    if (paths.length === 0) return false;
    const input = paths.map((path) => `${path}\0`).join('');
    await this.#git.run([...PLAIN, 'update-index', '--add', '--remove', '-z', '--stdin'], { input });
    return true;
  }
}

/**
 * Git complains of an excluded path that is ignored besides, such as a copied `.env`, as if it had been asked to
 * add it; everything else is added all the same.
 */
function isAllAdded({ code, stderr }: GitOutcome): boolean {
  if (code === 0) return true;
  const [first = '', ...rest] = stderr.trim().split('\n');
  return (
    code === 1 && IGNORED_MET.test(first) && !rest.some((line) => /^(?:error|fatal|warning): /.test(line))
  );
}

/** One line for each path, names as they are: a name with a line end in it makes the list useless. */
function addedPaths(output: string): string[] | undefined {
  const lines = output.split('\n').slice(0, -1);
  const paths = lines.map((line) => /^(?:add|remove) '(.*)'$/.exec(line)?.[1]);
  return paths.every((path) => path !== undefined) ? paths.sort() : undefined;
}
