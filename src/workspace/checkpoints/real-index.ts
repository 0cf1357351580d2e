import type { BoundGit } from '../git/bound-git.ts';
import { splitZ } from '../git/tree-diff.ts';
import { fileIdentity } from './index-file.ts';
import { gitLinks } from './nested.ts';

export interface RealIndexContent {
  readonly submodules: readonly string[];
  /** Tracked although they are ignored: nothing but this index knows that they belong to the tree. */
  readonly forced: readonly string[];
}

/** A worktree's own index, which is only read. */
export class RealIndex {
  readonly path: string;
  #seen: string | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Undefined when it has not changed since `remember`, or is not there. */
  async readChanged(
    git: BoundGit,
  ): Promise<(RealIndexContent & { readonly remember: () => void }) | undefined> {
    const seen = fileIdentity(this.path);
    if (seen === undefined || seen === this.#seen) return undefined;
    const real = git.with({ GIT_INDEX_FILE: this.path });
    const [staged, forced] = await Promise.all([
      real.run(['-c', 'core.fsmonitor=false', 'ls-files', '-s', '-z']),
      real.run(['-c', 'core.fsmonitor=false', 'ls-files', '-c', '-i', '-z', '--exclude-standard']),
    ]);
    return {
      submodules: gitLinks(staged.stdout),
      forced: splitZ(forced.stdout),
      remember: () => {
        this.#seen = seen;
      },
    };
  }

  forget(): void {
    this.#seen = undefined;
  }
}
