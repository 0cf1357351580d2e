import { join } from 'node:path';
import { nodeManager } from '../../config/detect/package-json.ts';
import { detectInstall } from '../../config/detect-install.ts';
import { tokenize } from '../command-line.ts';
import type { FailureCode } from './failure-code.ts';
import { isRecursive } from './skip-rules.ts';
import { changedPackage, isNeededByOthers, scriptsOf } from './workspace-package.ts';

/** Commands that are run one after the other in place of one that could not check anything. */
export interface Replacement {
  readonly commands: readonly string[];
  /** Only worth trying where an install before it found the lock file outdated. */
  readonly ifOutdated?: true;
}

export interface FailedInPlace {
  readonly command: string;
  readonly code: FailureCode;
  readonly root: string;
  readonly changed: readonly string[];
  /** Whether what is missing may be installed. */
  readonly mayInstall: boolean;
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
  if (failed.code === 'failed') return inOnePackage(failed).slice(0, most);
  if (!REPLACEABLE.has(failed.code)) return [];
  const scripts = [...inChangedPackage(failed), ...byScript(failed)];
  return [...afterInstall(failed), ...scripts].slice(0, most);
}

/** Exactly what the lock file says first; a lock file that does not fit any more is brought up to date. */
function afterInstall({ code, command, root, mayInstall }: FailedInPlace): Replacement[] {
  const install = code === 'setup_issue' && mayInstall ? detectInstall(root) : undefined;
  if (!install) return [];
  const frozen = { commands: [install.command.join(' '), command] };
  if (!install.plain) return [frozen];
  return [frozen, { commands: [install.plain.join(' '), command], ifOutdated: true }];
}

const OUTDATED =
  /ERR_PNPM_(?:OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|NO_LOCKFILE)|can only install packages when your package\.json and package-lock\.json|EUSAGE|lockfile needs to be updated|lockfile would have been modified|lockfile had changes, but lockfile is frozen|needs to be updated,? but `?--locked|--locked was passed/i;

/** Whether an install that keeps to the lock file says that it no longer fits. */
export function saysOutdated(output: string): boolean {
  return OUTDATED.test(output);
}

/**
 * A command for all packages may fail for one that was not touched. Where others need the changed package, they are
 * part of what the change may have broken.
 */
function inOnePackage(failed: FailedInPlace): Replacement[] {
  if (!isRecursive(failed.command)) return [];
  const only = changedPackage(failed.root, failed.changed);
  return only === undefined || isNeededByOthers(failed.root, only) ? [] : inChangedPackage(failed);
}

/** What the package that was changed calls it, by the package manager of the repository. */
function inChangedPackage({ command, root, changed }: FailedInPlace): Replacement[] {
  const only = changedPackage(root, changed);
  if (only === undefined) return [];
  const scripts = fittingScripts(command, join(root, only), root);
  return scripts.map((script) => ({ commands: [`cd ${quoted(only)} && ${script}`] }));
}

function byScript({ command, root }: FailedInPlace): Replacement[] {
  return fittingScripts(command, root, root)
    .filter((script) => script !== command.trim())
    .map((script) => ({ commands: [script] }));
}

function fittingScripts(command: string, folder: string, root: string): string[] {
  const scripts = scriptsOf(folder);
  const manager = nodeManager(folder, root);
  const wanted = PURPOSES.filter(([words]) => words.test(command)).flatMap(([, names]) => names);
  const names = [...new Set(wanted)].filter((name) => scripts.has(name));
  return manager === undefined ? [] : names.map((name) => `${manager} run ${name}`);
}

function quoted(path: string): string {
  return tokenize(path).ok && !/[\s'"\\]/.test(path) ? path : `'${path}'`;
}
