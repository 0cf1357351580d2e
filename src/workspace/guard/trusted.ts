import { ConflictError } from '../../kernel/errors.ts';
import { isInside } from '../../process/sandbox/enclosure.ts';
import { commonDirOf, type Located, locate, real } from './locate.ts';
import { changesBetween, type Picture, pictureOfSettings } from './picture.ts';

/** What one session relies on while it runs. */
export interface Trust {
  /** Settings as they were before its agents ran: of repositories and of worktrees, by their folder. */
  readonly settings: Map<string, Picture>;
  /** The folder in which git keeps each tree that its agents work in. */
  readonly trees: Map<string, string>;
}

const held = new Set<Trust>();

/** From now on, until it is released, git is run only where things are as this says. */
export function holdTrust(): Trust {
  const trust = { settings: new Map(), trees: new Map() };
  held.add(trust);
  return trust;
}

export function releaseTrust(trust: Trust): void {
  held.delete(trust);
}

/** The settings of a repository as they are now, or were at an earlier look. */
export function trustSettings({ settings }: Trust, gitDir: string, as?: Picture): void {
  const home = real(gitDir);
  const known = Object.entries(as ?? pictureOfSettings(home)).filter(([name]) => name.startsWith('config'));
  settings.set(home, Object.fromEntries(known));
}

/** A tree that belongs to this folder of git's, with its settings of now. */
export function trustTree(trust: Trust, tree: string, gitDir: string): void {
  trust.trees.set(real(tree), real(gitDir));
  if (commonDirOf(real(gitDir)) !== real(gitDir)) trustSettings(trust, gitDir);
}

/** Nobody but the person may say what git does: a repository that an agent made or turned is not entered. */
export function refuseTouched(cwd: string, env: { readonly [name: string]: string | undefined }): void {
  if (held.size === 0) return;
  const here = real(cwd);
  const found = env['GIT_DIR'] === undefined ? locate(here) : locatedAt(real(env['GIT_DIR']));
  for (const { trees, settings } of held) {
    if (env['GIT_DIR'] === undefined) refuseOther(trees, here, found);
    if (!found) continue;
    for (const folder of new Set([found.gitDir, found.commonDir]))
      refuseSettings(folder, settings.get(folder));
  }
}

function refuseSettings(folder: string, before: Picture | undefined): void {
  const changed = before === undefined ? [] : changesBetween(before, pictureOfSettings(folder));
  if (changed.length === 0) return;
  throw new RepositoryTouchedError(
    `The settings of git in ${folder} are not as they were before an agent ran: ${changed.join(', ')}. Git is not run with them.`,
    { next: 'Look at them and put back what you did not write yourself.' },
  );
}

function locatedAt(gitDir: string): Located {
  return { top: gitDir, gitDir, commonDir: commonDirOf(gitDir) };
}

/** What steers git was changed by somebody who must not. */
class RepositoryTouchedError extends ConflictError {}

/** Also told of a tree whose `.git` is gone: git would go on to the folders above. */
function refuseOther(trees: Trust['trees'], here: string, found: Located | undefined): void {
  for (const [tree, gitDir] of trees) {
    if (!isInside(tree, here)) continue;
    if (found?.top === tree && found.gitDir === gitDir) return;
    const what =
      found && isInside(tree, found.top) ? `${found.top}/.git leads to ${found.gitDir}` : 'it has no .git';
    throw new RepositoryTouchedError(
      `${tree} no longer belongs to the repository it was made from: ${what}. Git is not run there.`,
      { next: `Look at it. Its .git is a file with the line: gitdir: ${gitDir}` },
    );
  }
}
