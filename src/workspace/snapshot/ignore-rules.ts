import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { IgnoreFile } from './ignore-file.ts';

/**
 * What the `.gitignore` files on the way to a folder ignore: the deepest file that has an opinion decides, in
 * a file its last matching line. A folder that is ignored is not entered, so nothing below it is asked for.
 */
export class IgnoreRules {
  /** Deepest first. */
  readonly #files: readonly IgnoreFile[];

  private constructor(files: readonly (IgnoreFile | undefined)[]) {
    this.#files = files.filter((file) => file !== undefined);
  }

  /** The rules that hold at the root: of the repository it lies in, without those of its own `.gitignore`. */
  static ofRoot(root: string): IgnoreRules {
    const files: (IgnoreFile | undefined)[] = [];
    let above = '';
    for (let folder = root; ; folder = dirname(folder)) {
      if (folder !== root) files.push(IgnoreFile.read(join(folder, '.gitignore'), { depth: 0, above }));
      if (existsSync(join(folder, '.git'))) {
        files.push(IgnoreFile.read(join(folder, '.git', 'info', 'exclude'), { depth: 0, above }));
        return new IgnoreRules(files);
      }
      // Outside a repository the files above mean nothing.
      if (dirname(folder) === folder) return new IgnoreRules([]);
      above = `${basename(folder)}/${above}`;
    }
  }

  /** With the `.gitignore` of a folder added. */
  withFileOf(root: string, path: string): IgnoreRules {
    const depth = path === '' ? 0 : path.length + 1;
    return new IgnoreRules([
      IgnoreFile.read(join(root, path, '.gitignore'), { depth, above: '' }),
      ...this.#files,
    ]);
  }

  ignoresFile(path: string, name: string): boolean {
    for (const file of this.#files) {
      const verdict = file.verdict(path, name, false);
      if (verdict !== undefined) return verdict === 'ignored';
    }
    return false;
  }

  /** The rules for what is in a folder; undefined when the folder itself is ignored. */
  inFolder(path: string, name: string): IgnoreRules | undefined {
    for (const [i, file] of this.#files.entries()) {
      const verdict = file.verdict(path, name, true);
      if (verdict === 'ignored') return undefined;
      if (verdict === 'unignored') return this.#overruling(i + 1, path, name);
    }
    return this;
  }

  #overruling(from: number, path: string, name: string): IgnoreRules {
    const files = this.#files.map((file, i) =>
      i >= from && file.verdict(path, name, true) === 'ignored' ? file.reopening(path) : file,
    );
    return files.every((file, i) => file === this.#files[i]) ? this : new IgnoreRules(files);
  }
}
