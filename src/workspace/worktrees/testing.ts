import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Everything below a folder: kind, mode, content and link target by path. */
export function photograph(
  folder: string,
  leaveOut: (path: string) => boolean = () => false,
): Map<string, string> {
  const seen = new Map<string, string>();
  const look = (dir: string): void => {
    for (const name of readdirSync(dir).sort()) {
      const path = join(dir, name);
      const shown = relative(folder, path);
      if (leaveOut(shown)) continue;
      const stats = lstatSync(path);
      if (stats.isDirectory()) look(path);
      else if (stats.isSymbolicLink()) seen.set(shown, `link ${readlinkSync(path)}`);
      else {
        const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
        seen.set(shown, `${(stats.mode & 0o777).toString(8)} ${hash}`);
      }
    }
  };
  look(folder);
  return seen;
}

/** The user's side of a repository: all but objects, what worktrees add, and our own folders. */
export function userSide(dir: string): Map<string, string> {
  const ours = [
    /^\.git\/objects\b/,
    /^\.git\/worktrees\b/,
    /^\.git\/loopwright\b/,
    /^\.git\/(?:logs\/)?refs\/heads\/loopwright\b/,
    /^\.git\/info\/exclude$/,
    /^\.loopwright\b/,
  ];
  return photograph(dir, (path) => ours.some((pattern) => pattern.test(path)));
}
