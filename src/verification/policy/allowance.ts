import { posix } from 'node:path';
import { splitChain } from '../commands/split-chain.ts';
import type { Violation } from '../report.ts';
import type { VerificationRules } from '../rules.ts';
import type { TaskFacts } from '../task-facts.ts';
import known from './build-files.json' with { type: 'json' };
import { isSafePath, matcher } from './violations.ts';

const BUILD_WORD = new RegExp(`\\b(?:${known.words.join('|')})\\b`, 'i');
const BUILD_NAMES = new Set(known.names);
/** Says what the checks of a project run, besides how it is built. */
const CHECK_FILES = new Set(['package.json', 'pyproject.toml', 'setup.py']);
const BUILD_EXTENSIONS = new Set(known.extensions);

export type AllowanceRules = Pick<VerificationRules, 'policyRecoveryMode' | 'policyCommandRules'>;

/**
 * Which violating paths the task may touch after all, decided without a model. Only paths that are violating
 * now, only safe ones, never a denied or a protected one; documentation tasks get none.
 */
export function allowancesFor(
  violations: readonly Violation[],
  task: TaskFacts,
  rules: AllowanceRules,
): string[] {
  if (task.role === 'docser') return [];
  const named = matcher(task.expectedFiles.filter(isSafePath));
  const mode = rules.policyRecoveryMode;
  // Words of a stranger open nothing; the commands of a task are a person's choice.
  const words = task.origin === 'person' ? [task.title, task.goal] : [];
  const builds = BUILD_WORD.test([...words, ...task.commands].join('\n'));
  const byCommands = pathsOfCommands(task, rules);
  const ruled = (path: string) => mode === 'aggressive' && byCommands.needs(path);
  // A command of another build tool says what this task is built with.
  const isUnopposed = (path: string) =>
    task.origin === 'person' &&
    !byCommands.some &&
    isBuildFile(path) &&
    !CHECK_FILES.has(posix.basename(path));
  const isNeeded = (path: string): boolean => {
    if (named(path)) return true;
    if (mode === 'conservative') return false;
    if (builds && isBuildFile(path)) return true;
    if (mode === 'balanced') return false;
    return (builds && !path.includes('/')) || ruled(path) || isUnopposed(path);
  };
  return violations
    .filter(({ path, why }) => why === 'outside' && isSafePath(path) && isNeeded(path))
    .map(({ path }) => path);
}

function isBuildFile(path: string): boolean {
  return BUILD_NAMES.has(posix.basename(path)) || BUILD_EXTENSIONS.has(posix.extname(path));
}

/** The files that belong to a command of the task; a path that ends in `/` means everything below it. */
function pathsOfCommands(task: TaskFacts, rules: AllowanceRules) {
  const parts = task.commands.flatMap(splitChain);
  const paths = [...known.commandRules, ...rules.policyCommandRules].flatMap((rule) => {
    const fits = new RegExp(rule.pattern, 'i');
    return parts.some((part) => fits.test(part)) ? rule.paths : [];
  });
  const needs = (path: string): boolean =>
    paths.some((listed) => (listed.endsWith('/') ? path.startsWith(listed) : path === listed));
  return { some: paths.length > 0, needs };
}
