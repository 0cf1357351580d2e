import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { type DetectedCommands, type Found, readText } from './found.ts';

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCKFILES: readonly (readonly [file: string, manager: Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

/** What `npm init` writes when there are no tests. */
const PLACEHOLDER = /no test specified/;
/** ESLint alone, so an added option reaches it, and without a format of its own. */
const PLAIN_ESLINT = /^eslint(?!.*\s(?:-f|--format)\b)[^&|;<>]*$/;

export function fromPackageJson(projectDir: string): DetectedCommands {
  const manifest = readManifest(projectDir);
  if (!manifest || !isJsonObject(manifest.scripts)) return {};
  const { scripts } = manifest;
  const manager = managerOf(projectDir, manifest);
  const script = (name: string): Found | undefined => {
    const text = scripts[name];
    if (typeof text !== 'string' || text.trim() === '' || PLACEHOLDER.test(text)) return undefined;
    return { command: commandFor(manager, name, text.trim()), from: `package.json script "${name}"` };
  };
  const [test, lint, build] = [script('test'), script('lint'), script('build')];
  return { ...(test && { test }), ...(lint && { lint }), ...(build && { build }) };
}

/** The package manager of a folder that has a package.json; a package of a workspace has that of its root. */
export function nodeManager(projectDir: string, root = projectDir): Manager | undefined {
  const manifest = readManifest(projectDir);
  if (!manifest) return undefined;
  for (let folder = projectDir; ; folder = dirname(folder)) {
    const said = managerSaid(folder, folder === projectDir ? manifest : (readManifest(folder) ?? {}));
    if (said) return said;
    if (folder === root || dirname(folder) === folder) return 'npm';
  }
}

/** Whether a project needs packages at all. */
export function needsPackages(projectDir: string): boolean {
  const manifest = readManifest(projectDir);
  const lists = [manifest?.['dependencies'], manifest?.['devDependencies'], manifest?.['workspaces']];
  return lists.some((list) => typeof list === 'object' && list !== null && Object.keys(list).length > 0);
}

/** Whether its packages are installed in the folders of several packages. */
export function hasWorkspaces(projectDir: string): boolean {
  const list = readManifest(projectDir)?.['workspaces'];
  return (typeof list === 'object' && list !== null) || existsSync(join(projectDir, 'pnpm-workspace.yaml'));
}

/** The packages that a project says it needs, by name. */
export function packagesNeeded(projectDir: string): ReadonlySet<string> {
  const manifest = readManifest(projectDir);
  const lists = [manifest?.['dependencies'], manifest?.['devDependencies']];
  return new Set(lists.flatMap((list) => (isJsonObject(list) ? Object.keys(list) : [])));
}

/** Findings of a linter are only useful to a program as JSON, without the line that the manager prints first. */
function commandFor(manager: Manager, name: string, script: string): string[] {
  if (name === 'lint' && PLAIN_ESLINT.test(script)) {
    if (manager === 'npm') return ['npm', 'run', '--silent', name, '--', '--format=json'];
    if (manager === 'pnpm') return ['pnpm', '--silent', 'run', name, '--format=json'];
  }
  return [manager, 'run', name];
}

function readManifest(projectDir: string): JsonObject | undefined {
  const text = readText(projectDir, 'package.json');
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(text);
    return isJsonObject(manifest) ? manifest : undefined;
  } catch {
    // The package manager will name the mistake when it is asked to run something.
    return undefined;
  }
}

function managerOf(projectDir: string, manifest: JsonObject): Manager {
  return managerSaid(projectDir, manifest) ?? 'npm';
}

function managerSaid(projectDir: string, manifest: JsonObject): Manager | undefined {
  const declared =
    typeof manifest.packageManager === 'string' ? manifest.packageManager.split('@')[0] : undefined;
  const managers: readonly Manager[] = ['npm', 'pnpm', 'yarn', 'bun'];
  const known = managers.find((manager) => manager === declared);
  if (known) return known;
  return LOCKFILES.find(([file]) => existsSync(join(projectDir, file)))?.[1];
}
