import picomatch from 'picomatch';
import type { RepositoryMode } from '../../kernel/runtime-words.ts';
import type { Violation } from '../report.ts';
import { type Protection, whyProtected } from './protected-paths.ts';

export interface PathPolicy {
  /** None means everything. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly mode: RepositoryMode;
  /** What a person opened by name, and for whom the work is; absent: protected for everybody, nothing opened. */
  readonly protection?: Protection;
}

const LOCKFILES = new Set(
  `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb Cargo.lock go.sum
  poetry.lock uv.lock Pipfile.lock Gemfile.lock composer.lock`.split(/\s+/),
);
const ENV_EXAMPLE = /(?:^|\/)\.env\.(?:example|sample|template)$/;

/**
 * The changed paths that the task may not touch. Denied is looked at first and nothing outweighs it; then what is
 * protected, which no pattern opens.
 */
export function findViolations(paths: readonly string[], policy: PathPolicy): Violation[] {
  const denied = matcher(policy.denied);
  const allowed = policy.allowed.length === 0 ? () => true : matcher(policy.allowed);
  return paths.flatMap((path): Violation[] => {
    if (isGitControl(path) || denied(path)) return [{ path, why: 'denied' }];
    const protectedFor = whyProtected(path, policy.protection);
    if (protectedFor !== undefined) return [{ path, why: 'protected', because: protectedFor }];
    if (allowed(path) || alwaysAllowed(path, policy)) return [];
    return [{ path, why: 'outside' }];
  });
}

/** No task is about how git is steered; whatever else it may touch, a person must see this. */
export function isGitControl(path: string): boolean {
  return path === '.git' || path.startsWith('.git/');
}

/** A change of dependencies shows in a lock file at the root, whatever part of the project it was for. */
function alwaysAllowed(path: string, { mode }: PathPolicy): boolean {
  return LOCKFILES.has(path) || (mode !== 'github' && ENV_EXAMPLE.test(path));
}

/** Dot files are files too; a folder stands for what is in it. */
export function matcher(patterns: readonly string[]): (path: string) => boolean {
  const all = patterns.flatMap((pattern) => {
    const plain = pattern.trim().replace(/^\.\//, '').replace(/\/$/, '');
    return plain === '' ? [] : [plain, `${plain}/**`];
  });
  // A leading "!" would turn one pattern of a list into nearly everything.
  return all.length === 0 ? () => false : picomatch(all, { dot: true, nonegate: true });
}

/** Whether a path can be added to a task's list as it is: it stays inside and matches nothing but itself. */
export function isSafePath(path: string): boolean {
  return (
    path !== '' &&
    !path.startsWith('/') &&
    !path.split('/').includes('..') &&
    !/[*?[\]{}()!\\]/.test(path) &&
    !/^\.(?:git|loopwright)(?:\/|$)/.test(path)
  );
}
