import { createHash } from 'node:crypto';
import type { RepositoryMode } from '../kernel/runtime-words.ts';
import { clash, type PlanPattern, readPattern } from './pattern.ts';
import type { TaskDraft } from './task.ts';
import type { TaskKind } from './words.ts';

/** The files somebody may change. Tasks of one scope wait for the same others. */
export interface Scope {
  /** Empty when it clashes with nobody. */
  readonly key: string;
  readonly patterns: readonly PlanPattern[];
}

/** Direct tasks share one folder and read each other's changes as their own, so they go one after the other. */
const DIRECT: PlanPattern = { pattern: ':direct:', prefix: ':direct:', wide: false };

/** What a task without allowed paths may change. */
const ANYTHING = '**';

/**
 * The scope of a task as it is stored with it, so that a claim need not read its paths again. `prefix` is where the
 * project lies in its repository: change plans name files from the top of that.
 */
export function scopeOfDraft({ kind = 'code', allowedPaths = [] }: TaskDraft, prefix = ''): Scope {
  if (kind === 'research') return { key: '', patterns: [] };
  const paths =
    allowedPaths.length === 0 ? [ANYTHING] : [...new Set(allowedPaths)].map((path) => fromTop(prefix, path));
  const patterns = paths.map(readPattern);
  const text = patterns.map(({ pattern }) => pattern).sort();
  return { key: createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 20), patterns };
}

/** A path of the project as its repository names it. */
export function fromTop(prefix: string, path: string): string {
  return prefix === '' ? path : `${prefix}/${path.trim().replace(/^(\.\/)+/, '')}`;
}

/** What a task may change in the mode it is run in. */
export function scopeIn(
  stored: Scope,
  task: { readonly kind: TaskKind; readonly mode: RepositoryMode | null },
  configured: RepositoryMode,
): Scope {
  if (task.kind !== 'code' || (task.mode ?? configured) !== 'direct') return stored;
  return { key: `${stored.key}${DIRECT.pattern}`, patterns: [...stored.patterns, DIRECT] };
}

/** What a session that has entered the line is known by among the scopes. */
export function sessionScope(session: string): string {
  return `session ${session}`;
}

/** Who may change files: a session with a change plan, or a task that runs. */
export interface Holder {
  readonly kind: 'session' | 'task';
  readonly id: string;
}

/** Somebody in the way: who it is, by which scope others wait for it, and on which path both meet. */
export interface Obstacle extends Holder {
  readonly scope: string;
  readonly path: string;
}

/** One of these tasks that means to change the same files. */
export function obstacleAmong(
  others: readonly { readonly id: string; readonly scope: Scope }[],
  scope: Scope,
): Obstacle | undefined {
  for (const { id, scope: other } of others) {
    const pattern = other.patterns.find((theirs) => scope.patterns.some((ours) => clash(ours, theirs)));
    if (pattern) return { kind: 'task', id, scope: other.key, path: pattern.pattern };
  }
  return undefined;
}

/** Whom a task waits for and why, for a person; a task that may change anything is named as the reason. */
export function obstacleWords(
  { kind, id, path }: Obstacle,
  { allowsAll }: { readonly allowsAll: boolean },
): string {
  const other =
    kind === 'task' && path === ANYTHING
      ? `task ${id}, which may change anything, as it has no allowed paths`
      : `${kind} ${id}, which may change ${pathWords(path)}`;
  return allowsAll ? `${other}; it may change anything itself, as it has no allowed paths` : other;
}

export function pathWords(path: string): string {
  return path === DIRECT.pattern ? 'the project folder itself (direct mode)' : path;
}
