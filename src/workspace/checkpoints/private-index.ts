import { join } from 'node:path';
import { LoopwrightError } from '../../kernel/errors.ts';
import { copiedInto } from '../setup/copied-list.ts';
import type { BoundGit } from './bound-git.ts';
import { fileIdentity, IndexFile } from './index-file.ts';
import { findNested, gitLinks, stillNested } from './nested.ts';
import { splitZ } from './tree-diff.ts';

/** Nothing that the user or an agent configured may hide a change, and no helper process is started. */
const PLAIN = ['-c', 'core.fsmonitor=false', '-c', 'core.splitIndex=false', '-c', 'core.safecrlf=false'];
const OWN_FOLDER = '.loopwright';
const NESTED_MET = /adding embedded git repository|does not have a commit checked out/;
const UNUSABLE =
  /index file corrupt|index file smaller|bad (?:index|signature)|bad index file|invalid object|error building trees|index uses .* extension/i;

export interface PrivateIndexOptions {
  readonly gitDir: string;
  /** Paths that stay out, relative to the top, beside those that setup is known to have copied in. */
  readonly exclude: readonly string[];
}

/**
 * The files of a worktree as git sees them, in an index of our own. Invariants:
 * 1. The worktree's real index is read, never written.
 * 2. After `stage` the private index is exactly the files on disk: tracked ones and those that git would
 *    track; without what is excluded, and with repositories inside left as they were.
 * 3. When nothing has changed, `stage` costs one git command.
 */
export class PrivateIndex {
  readonly #git: BoundGit;
  readonly #gitDir: string;
  readonly #exclude: readonly string[];
  readonly #file: IndexFile;
  readonly #realIndex: string;
  #seeded = false;
  #realSeen: string | undefined;
  #submodules: readonly string[] = [];
  #nested: readonly string[] = [];
  #known: { readonly identity: string; readonly tree: string } | undefined;

  constructor(git: BoundGit, { gitDir, exclude }: PrivateIndexOptions) {
    this.#gitDir = gitDir;
    this.#exclude = exclude;
    this.#file = new IndexFile(gitDir);
    this.#realIndex = join(gitDir, 'index');
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
      // Damaged, or its objects are gone: it is only a cache, so it is made anew from the real index.
      await this.#file.drop();
      this.#seeded = false;
      return this.#stage();
    }
  }

  /** Whether a path is one that stays out of every checkpoint. */
  async isExcluded(path: string): Promise<boolean> {
    const all = await this.#excluded();
    return all.some((other) => path === other || path.startsWith(`${other}/`));
  }

  async #stage(): Promise<string> {
    if (!this.#seeded || (await this.#file.identity()) === undefined) await this.#seed();
    const forced = await this.#readRealIndex();
    this.#nested = await stillNested(this.#git.cwd, this.#nested);
    await this.#addAll();
    if (forced.length > 0) await this.#update(forced);
    const identity = (await this.#file.identity()) ?? '';
    if (this.#known?.identity !== identity || identity === '') {
      const tree = await this.#git.out([...PLAIN, 'write-tree']);
      // Writing the tree also stores its ids in the index.
      this.#known = { identity: (await this.#file.identity()) ?? '', tree };
    }
    return this.#known.tree;
  }

  async #seed(): Promise<void> {
    this.#known = undefined;
    this.#realSeen = undefined;
    if (!(await this.#file.seed(this.#realIndex))) {
      const head = await this.#git.try(['rev-parse', '-q', '--verify', 'HEAD^{tree}']);
      const start = head.code === 0 ? head.stdout.trim() : '--empty';
      await this.#git.run([...PLAIN, 'read-tree', start]);
    }
    await this.#trustNothing();
    this.#seeded = true;
  }

  /** Marks by which git was told not to look at a file would hide what an agent does to it. */
  async #trustNothing(): Promise<void> {
    const { stdout } = await this.#git.run([...PLAIN, 'ls-files', '-v', '-z']);
    const marked = splitZ(stdout).filter((line) => /^[a-z] /.test(line) && !line.startsWith('s'));
    if (marked.length === 0) return;
    const input = marked.map((line) => `${line.slice(2)}\0`).join('');
    await this.#git.run([...PLAIN, 'update-index', '--no-assume-unchanged', '-z', '--stdin'], { input });
  }

  /** What only the real index knows: submodules, and files that are tracked although they are ignored. */
  async #readRealIndex(): Promise<readonly string[]> {
    const seen = await fileIdentity(this.#realIndex);
    if (seen === undefined || seen === this.#realSeen) return [];
    const real = this.#git.with({ GIT_INDEX_FILE: this.#realIndex });
    const [staged, forced] = await Promise.all([
      real.run([...PLAIN, 'ls-files', '-s', '-z']),
      real.run([...PLAIN, 'ls-files', '-c', '-i', '-z', '--exclude-standard']),
    ]);
    this.#submodules = gitLinks(staged.stdout);
    this.#realSeen = seen;
    const left = [...(await this.#excluded()), ...this.#submodules];
    return splitZ(forced.stdout).filter(
      (path) => !left.some((at) => path === at || path.startsWith(`${at}/`)),
    );
  }

  async #addAll(): Promise<void> {
    const args = [...PLAIN, 'add', '-A', '--', ':/', ...(await this.#pathspecs())];
    const outcome = await this.#git.try(args);
    if (outcome.code === 0 && !NESTED_MET.test(outcome.stderr)) return;
    if (NESTED_MET.test(outcome.stderr)) {
      const found = await findNested(this.#git, this.nested);
      this.#nested = [...new Set([...this.#nested, ...found])];
      await this.#git.run([...PLAIN, 'add', '-A', '--', ':/', ...(await this.#pathspecs())]);
      return;
    }
    await this.#git.run(args);
  }

  async #update(paths: readonly string[]): Promise<void> {
    const input = paths.map((path) => `${path}\0`).join('');
    await this.#git.run([...PLAIN, 'update-index', '--add', '--remove', '-z', '--stdin'], { input });
  }

  async #excluded(): Promise<string[]> {
    const copied = await copiedInto(this.#gitDir);
    return [OWN_FOLDER, ...this.#exclude, ...copied].map((path) => path.replace(/\/+$/, ''));
  }

  async #pathspecs(): Promise<string[]> {
    const paths = [...(await this.#excluded()), ...this.nested];
    return [...new Set(paths)].map((path) => `:(top,exclude,literal)${path}`);
  }
}
