import { statSync } from 'node:fs';
import { join } from 'node:path';
import { checkRelativePath } from '../kernel/path-rules.ts';

export type ExpectedFiles = {
  readonly checked: readonly string[];
  readonly missing: readonly string[];
};

/** Which of the files a task expects are not there. Names with patterns and secret files are not looked for. */
export function checkExpectedFiles(root: string, expected: readonly string[]): ExpectedFiles {
  const checked = expected.map((path) => path.trim().replace(/^\.\//, '')).filter(canBeChecked);
  return { checked, missing: checked.filter((path) => !places(path).some((place) => isThere(root, place))) };
}

function canBeChecked(path: string): boolean {
  if (path === '' || /[*?[\]{}]/.test(path)) return false;
  if (/(?:^|\/)\.env[^/]*$/.test(path)) return false;
  return checkRelativePath(path.replace(/\/$/, '')) === undefined;
}

/** In a monorepo the folder for sources is often left out when a file is named. */
function places(path: string): string[] {
  const parts = /^((?:packages|apps)\/[^/]+\/)(?!src\/)(.+)$/.exec(path);
  return parts ? [path, `${parts[1]}src/${parts[2]}`] : [path];
}

function isThere(root: string, path: string): boolean {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return false;
  return path.endsWith('/') ? found.isDirectory() : true;
}
