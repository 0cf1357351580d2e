import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';

/** The one package that all changes are in, relative to the root; undefined: several, or the root itself. */
export function changedPackage(root: string, changed: readonly string[]): string | undefined {
  const packages = new Set(changed.map((path) => packageOf(root, path)));
  const [only] = packages;
  return packages.size === 1 && only !== '' ? only : undefined;
}

/** Whether another package of the repository says that it needs this one: a change here may break it. */
export function isNeededByOthers(root: string, folder: string): boolean {
  const name = manifestIn(join(root, folder))?.['name'];
  if (typeof name !== 'string') return true;
  return packageFolders(root)
    .filter((other) => other !== folder)
    .some((other) => needs(manifestIn(join(root, other)), name));
}

export function scriptsOf(folder: string): Set<string> {
  const scripts = manifestIn(folder)?.['scripts'];
  return new Set(isJsonObject(scripts) ? Object.keys(scripts) : []);
}

const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function needs(manifest: JsonObject | undefined, name: string): boolean {
  return LISTS.some((list) => {
    const packages = manifest?.[list];
    return isJsonObject(packages) && name in packages;
  });
}

const DEEPEST = 4;

/** Every folder with a package.json, but for what is installed. */
function packageFolders(root: string, folder = '', depth = 0): string[] {
  const here = existsSync(join(root, folder, 'package.json')) ? [folder] : [];
  if (depth === DEEPEST) return here;
  const below = readdirSync(join(root, folder), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'),
  );
  return [...here, ...below.flatMap(({ name }) => packageFolders(root, join(folder, name), depth + 1))];
}

/** The nearest folder with a package.json above a file, relative to the root; `''` is the root. */
function packageOf(root: string, path: string): string {
  let folder = dirname(join(root, path));
  while (folder !== root && !existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return relative(root, folder);
}

function manifestIn(folder: string): JsonObject | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isJsonObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
