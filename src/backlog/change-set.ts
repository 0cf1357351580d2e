import { createHash } from 'node:crypto';
import type { RepositoryMode } from '../kernel/runtime-words.ts';
import { clash, type PlanPattern, readPattern } from './pattern.ts';
import type { TaskDraft } from './task.ts';
import type { TaskKind } from './words.ts';

/** The files somebody may change. Tasks with the same set wait for the same others. */
export interface ChangeSet {
  /** Empty when it clashes with nobody. */
  readonly key: string;
  readonly patterns: readonly PlanPattern[];
}

/** Direct tasks share one folder and read each other's changes as their own, so they go one after the other. */
const DIRECT: PlanPattern = { pattern: ':direct:', prefix: ':direct:', wide: false };

/** What a task without allowed paths may change. */
const ANYTHING = '**';

/**
 * The change set of a task as it is stored with it, so that a claim need not read its paths again. `prefix` is where the
 * project lies in its repository: change plans name files from the top of that.
 */
export function changeSetOfDraft({ kind = 'code', allowedPaths = [] }: TaskDraft, prefix = ''): ChangeSet {
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

/** Files that one task at a time may be at, whichever of them it means to change. */
export type Area = readonly PlanPattern[];

/** An area as a person writes it: patterns with spaces between them, from the folder of the project. */
export function readArea(text: string, prefix: string): Area {
  const paths = text.split(/\s+/).filter((path) => path !== '');
  return paths.map((path) => readPattern(fromTop(prefix, path)));
}

/** What a task may change in the mode it is run in; touching an area takes all of it. */
export function changeSetIn(
  stored: ChangeSet,
  task: { readonly kind: TaskKind; readonly mode: RepositoryMode | null },
  { mode, areas }: { readonly mode: RepositoryMode; readonly areas: readonly Area[] },
): ChangeSet {
  if (task.kind !== 'code') return stored;
  const touched = areas.filter((area) =>
    area.some((theirs) => stored.patterns.some((ours) => clash(ours, theirs))),
  );
  const added = [...touched.flat(), ...((task.mode ?? mode) === 'direct' ? [DIRECT] : [])];
  if (added.length === 0) return stored;
  const key = [stored.key, ...added.map(({ pattern }) => pattern)].join(' ');
  return { key, patterns: [...stored.patterns, ...added] };
}

/** The key of a session that has entered the line. */
export function sessionKey(session: string): string {
  return `session ${session}`;
}

/** Who may change files: a session with a change plan, or a task that runs. */
export interface Holder {
  readonly kind: 'session' | 'task';
  readonly id: string;
}

/** Somebody in the way: who it is, by the key of which change set others wait for it, and on which path both meet. */
export interface Obstacle extends Holder {
  readonly key: string;
  readonly path: string;
}

/** One of these tasks that means to change the same files. */
export function obstacleAmong(
  others: readonly { readonly id: string; readonly changes: ChangeSet }[],
  own: ChangeSet,
): Obstacle | undefined {
  for (const { id, changes: other } of others) {
    const pattern = other.patterns.find((theirs) => own.patterns.some((ours) => clash(ours, theirs)));
    if (pattern) return { kind: 'task', id, key: other.key, path: pattern.pattern };
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
