import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeOwnCommit } from '../checkpoints/commit.ts';
import { BoundGit } from '../git/bound-git.ts';
import { GitNotStartedError } from '../git/git-error.ts';
import { openRepository, type Repository } from '../git/repository.ts';

/** Files below a folder, by their paths in it. */
export interface FilesOf {
  readonly root: string;
  readonly paths: Iterable<string>;
}

/** Dependencies that are brought along, and products of a check: no part of a tree, and not swept away with it. */
const NOT_TREES = ['node_modules', '.venv', 'dist', 'build', '.next', 'coverage'];

/**
 * Trees of files that belong to no repository, or to one that nobody may touch: they are written to a repository of
 * our own.
 */
export class PrivateTrees {
  readonly repo: Repository;
  readonly #git: BoundGit;

  private constructor(repo: Repository) {
    this.repo = repo;
    this.#git = new BoundGit(repo.dir);
  }

  /** Undefined where there is no git: working on plain files does not need it. */
  static async in(folder: string): Promise<PrivateTrees | undefined> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await new BoundGit(folder).run(['init', '--quiet', '--template=', '.']);
    } catch (error) {
      if (error instanceof GitNotStartedError) return undefined;
      throw error;
    }
    const info = join(folder, '.git', 'info');
    await mkdir(info, { recursive: true });
    await writeFile(join(info, 'exclude'), `${NOT_TREES.join('\n')}\n`);
    return new PrivateTrees(await openRepository(folder));
  }

  /** One tree of files from one or more folders. What is gone by now is not in it. */
  async write(parts: readonly FilesOf[]): Promise<string> {
    const index = join(this.repo.gitDir, 'index.draft');
    await rm(index, { force: true });
    for (const { root, paths } of parts) {
      const there = { GIT_DIR: this.repo.gitDir, GIT_WORK_TREE: root, GIT_INDEX_FILE: index };
      const input = [...paths].map((path) => `${path}\0`).join('');
      // As the bytes are: whatever filters a project names, a comparison needs none.
      const add = ['-c', 'core.autocrlf=false', 'update-index', '--add', '--remove', '-z', '--stdin'];
      await this.#git.in(root).with(there).run(add, { input });
    }
    return this.#git.with({ GIT_INDEX_FILE: index }).out(['write-tree']);
  }

  async commit(tree: string, subject: string): Promise<string> {
    return writeOwnCommit(this.#git, { tree, parents: [], subject, trailers: {} });
  }
}
