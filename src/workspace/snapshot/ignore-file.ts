import { readFileSync, statSync } from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import { errorCode } from '../../kernel/errors.ts';
import { NameFilter } from './name-filter.ts';

/** Git follows the file system here, and these two fold case. */
const FOLDS_CASE = process.platform === 'darwin' || process.platform === 'win32';

export type Verdict = 'ignored' | 'unignored' | undefined;

/** The rules of one `.gitignore`, asked for paths below the snapshot's root. */
export class IgnoreFile {
  readonly #text: string;
  readonly #names: NameFilter;
  readonly #matcher: Ignore;
  readonly #place: { readonly depth: number; readonly above: string };

  /**
   * `depth`: length of the folder's path below the root, with its slash. `above`: what leads from a folder
   * above the root down to it.
   */
  private constructor(text: string, names: NameFilter, place: { depth: number; above: string }) {
    this.#text = text;
    this.#names = names;
    this.#place = place;
    this.#matcher = ignore({ ignorecase: FOLDS_CASE }).add(text);
  }

  /** Undefined when there is no such file. */
  static read(file: string, place: { depth: number; above: string }): IgnoreFile | undefined {
    const text = readRules(file);
    if (text === undefined) return undefined;
    return new IgnoreFile(text, new NameFilter(text, { foldsCase: FOLDS_CASE }), place);
  }

  /** What its last matching line says about a path whose folder is not ignored. */
  verdict(path: string, name: string, isFolder: boolean): Verdict {
    const { depth, above } = this.#place;
    if (!this.#names.mayMatch(asBytes(name), above === '' ? path : undefined, depth)) return undefined;
    const { ignored, unignored } = this.#matcher.test(`${this.#bytesOf(path)}${isFolder ? '/' : ''}`);
    if (ignored) return 'ignored';
    return unignored ? 'unignored' : undefined;
  }

  /**
   * For what lies in a folder that these rules ignore but deeper ones take back: the matcher would go on
   * ignoring everything in it.
   */
  reopening(path: string): IgnoreFile {
    const line = `!/${this.#bytesOf(path).replaceAll(/[\\*?[\]!# ]/g, '\\$&')}/`;
    return new IgnoreFile(`${this.#text}\n${line}\n`, this.#names, this.#place);
  }

  #bytesOf(path: string): string {
    return asBytes(this.#place.above + path.slice(this.#place.depth));
  }
}

/** Git compares bytes: its `?` is half of an `ü`. So rules and paths are both read one character per byte. */
function asBytes(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}

function readRules(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return undefined;
    return readFileSync(file, 'latin1').replace(/^\u00EF\u00BB\u00BF/, '');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return undefined;
    throw error;
  }
}
