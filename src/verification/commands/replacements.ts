import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { nodeManager } from '../../config/detect/package-json.ts';
import { detectInstall } from '../../config/detect-install.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { tokenize } from '../command-line.ts';
import type { FailureCode } from './failure-code.ts';
import { isRecursive } from './skip-rules.ts';

/** Commands that are run one after the other in place of one that could not check anything. */
export type Replacement = readonly string[];

export interface FailedInPlace {
  readonly command: string;
  readonly code: FailureCode;
  readonly root: string;
  readonly changed: readonly string[];
}

/** What a command is about, by the words in it; the first fitting script of the project stands in for it. */
const PURPOSES: readonly (readonly [words: RegExp, scripts: readonly string[]])[] = [
  [/type-?check|\btsc\b/, ['typecheck', 'type-check', 'check:types', 'check-types', 'check']],
  [/\blint\b|eslint|biome|oxlint/, ['lint', 'check']],
  [/\bbuild\b|\bcompile\b/, ['build', 'compile']],
  [/\bcheck\b/, ['check', 'verify', 'test']],
  [/\btests?\b|vitest|jest|mocha|\bspec\b/, ['test', 'test:unit', 'tests', 'check']],
];

const REPLACEABLE: ReadonlySet<FailureCode> = new Set([
  'missing_script',
  'no_test_files',
  'missing_make_target',
  'unsupported_format',
  'setup_issue',
]);

/** What to try in place, best first: installing what is missing, the one changed package, a script of the project. */
export function replacementsFor(failed: FailedInPlace, most: number): Replacement[] {
  if (!REPLACEABLE.has(failed.code)) return [];
  const all = [...afterInstall(failed), ...inOnePackage(failed), ...byScript(failed)];
  return all.slice(0, most);
}

function afterInstall({ code, command, root }: FailedInPlace): Replacement[] {
  const install = code === 'setup_issue' ? detectInstall(root) : undefined;
  return install ? [[install.command.join(' '), command]] : [];
}

/** A command for all packages may fail for one that was not touched. */
function inOnePackage({ command, root, changed }: FailedInPlace): Replacement[] {
  if (!isRecursive(command)) return [];
  const packages = new Set(changed.map((path) => packageOf(root, path)));
  const [only] = packages;
  if (packages.size !== 1 || only === undefined || only === '') return [];
  return fittingScripts(command, join(root, only)).map((script) => [`cd ${quoted(only)} && ${script}`]);
}

function byScript({ command, root }: FailedInPlace): Replacement[] {
  return fittingScripts(command, root)
    .filter((script) => script !== command.trim())
    .map((script) => [script]);
}

function fittingScripts(command: string, folder: string): string[] {
  const scripts = scriptsOf(folder);
  const manager = nodeManager(folder);
  const wanted = PURPOSES.filter(([words]) => words.test(command)).flatMap(([, names]) => names);
  const names = [...new Set(wanted)].filter((name) => scripts.has(name));
  return manager === undefined ? [] : names.map((name) => `${manager} run ${name}`);
}

function scriptsOf(folder: string): Set<string> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const scripts = isJsonObject(manifest) ? manifest.scripts : undefined;
    return new Set(isJsonObject(scripts) ? Object.keys(scripts) : []);
  } catch {
    return new Set();
  }
}

/** The nearest folder with a package.json above a file, relative to the root; `''` is the root. */
function packageOf(root: string, path: string): string {
  let folder = dirname(join(root, path));
  while (folder !== root && !existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return relative(root, folder);
}

function quoted(path: string): string {
  return tokenize(path).ok && !/[\s'"\\]/.test(path) ? path : `'${path}'`;
}
