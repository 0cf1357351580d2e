import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoundGit } from '../git/bound-git.ts';
import { BARE_DIFF, type ChangedLines, readDiffLines } from '../git/diff-lines.ts';
import { type FileChange, splitZ, summarizeDiff } from '../git/tree-diff.ts';

/** Looks at trees of a repository and makes new ones of them, without a checkout: only objects are written. */
export class GitTrees {
  readonly #git: BoundGit;

  constructor(git: BoundGit) {
    this.#git = git;
  }

  async changes(from: string, to: string): Promise<readonly FileChange[]> {
    return (await summarizeDiff(this.#git, from, to)).files;
  }

  async lines(from: string, to: string): Promise<ChangedLines[]> {
    const { stdout } = await this.#git.run(['diff-tree', '-r', '-p', ...BARE_DIFF, from, to]);
    return readDiffLines(stdout);
  }

  /** What a tree has at a path; undefined: no file. */
  async read(tree: string, path: string): Promise<string | undefined> {
    const { code, stdout } = await this.#git.try(['cat-file', 'blob', `${tree}:${path}`]);
    return code === 0 ? stdout : undefined;
  }

  async list(tree: string): Promise<readonly string[]> {
    const { stdout } = await this.#git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree]);
    return splitZ(stdout);
  }

  /** The paths of the files in a tree that hold one of these texts. */
  async naming(tree: string, texts: readonly string[]): Promise<readonly string[]> {
    const wanted = texts.flatMap((text) => ['-e', text]);
    const { stdout } = await this.#git.try(['grep', '-l', '-z', '-I', '-F', ...wanted, tree, '--']);
    return splitZ(stdout).map((line) => line.slice(tree.length + 1));
  }

  async treeOf(commit: string): Promise<string> {
    return this.#git.out(['rev-parse', '--verify', `${commit}^{tree}`]);
  }

  /** A tree with some paths as another one has them: what the other does not have is not in it either. */
  async mixed(tree: string, other: string, paths: readonly string[]): Promise<string> {
    const start = await this.treeOf(tree);
    if (paths.length === 0) return start;
    const file = join(tmpdir(), `loopwright-index-${randomBytes(8).toString('hex')}`);
    const git = this.#git.with({ GIT_INDEX_FILE: file });
    try {
      await git.run(['read-tree', start]);
      const wanted = new Set(paths);
      const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', other]);
      const there = splitZ(stdout).flatMap((line) => {
        const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return wanted.delete(path) ? [`${mode} ${id}\t${path}\0`] : [];
      });
      const gone = [...wanted].map((path) => `0 ${'0'.repeat(start.length)}\t${path}\0`);
      await git.run(['update-index', '-z', '--index-info'], { input: [...gone, ...there].join('') });
      return await git.out(['write-tree']);
    } finally {
      await rm(file, { force: true });
    }
  }
}
