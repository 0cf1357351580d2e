import { copiedInto } from '../setup/copied-list.ts';

const OWN_FOLDER = '.loopwright';

/** The paths of a worktree that stay out of every checkpoint, relative to its top. */
export class Excluded {
  readonly #gitDir: string;
  readonly #given: readonly string[];

  /** What setup copied in is looked up each time: it may copy more while a session runs. */
  constructor(gitDir: string, given: readonly string[]) {
    this.#gitDir = gitDir;
    this.#given = given;
  }

  async paths(): Promise<readonly string[]> {
    const copied = await copiedInto(this.#gitDir);
    return [OWN_FOLDER, ...this.#given, ...copied].map((path) => path.replace(/\/+$/, ''));
  }

  async has(path: string): Promise<boolean> {
    return isWithin(path, await this.paths());
  }

  /** Everything but these and others, in the words of git. */
  async pathspecs(others: readonly string[]): Promise<string[]> {
    const left = new Set([...(await this.paths()), ...others]);
    return [':/', ...Array.from(left, (path) => `:(top,exclude,literal)${path}`)];
  }
}

/** Whether a path is one of these, or in a folder that is. */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
