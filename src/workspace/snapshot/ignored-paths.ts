import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { IgnoreRules } from './ignore-rules.ts';

/** Which of these paths the `.gitignore` files of a folder ignore; without git. */
export function ignoredPaths(root: string, paths: readonly string[]): Set<string> {
  const folders = new Map<string, IgnoreRules | undefined>();
  const rulesIn = (folder: string): IgnoreRules | undefined => {
    if (folders.has(folder)) return folders.get(folder);
    const outside = folder === '' ? IgnoreRules.ofRoot(root) : rulesIn(parentOf(folder));
    const inside = folder === '' ? outside : outside?.inFolder(folder, nameOf(folder));
    const hasOwn = existsSync(join(root, folder, '.gitignore'));
    const rules = hasOwn ? inside?.withFileOf(root, folder) : inside;
    folders.set(folder, rules);
    return rules;
  };
  return new Set(
    paths.filter((path) => {
      const rules = rulesIn(parentOf(path));
      // No rules: one of the folders on the way is ignored, and with it what lies in it.
      return rules === undefined || rules.ignoresFile(path, nameOf(path));
    }),
  );
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
