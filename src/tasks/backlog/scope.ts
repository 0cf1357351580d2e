import { createHash } from 'node:crypto';
import type { RepositoryMode } from '../../config/runtime/settings.ts';
import { type PlanPattern, readPattern } from '../../workspace/plan/pattern.ts';
import type { TaskDraft, TaskRow } from './task.ts';

/** The files a task may change. Tasks of one scope wait for the same others. */
export interface Scope {
  /** Empty when it clashes with nobody. */
  readonly key: string;
  readonly patterns: readonly PlanPattern[];
}

/** Direct tasks share one folder and read each other's changes as their own, so they go one after the other. */
export const DIRECT: PlanPattern = { pattern: ':direct:', prefix: ':direct:', wide: false };

/** What is stored with a task, so that a claim need not read its paths again. */
export function scopeColumn({ kind, allowedPaths = [] }: TaskDraft): string {
  const patterns = kind === 'research' ? [] : [...new Set(allowedPaths)].map(readPattern);
  const text = patterns.map(({ pattern }) => pattern).sort();
  const key =
    text.length === 0 ? '' : createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 20);
  return JSON.stringify({ key, patterns } satisfies Scope);
}

export function scopeOf(task: Pick<TaskRow, 'scope' | 'mode' | 'kind'>, configured: RepositoryMode): Scope {
  const scope: Scope = JSON.parse(task.scope);
  if (task.kind !== 'code' || (task.mode ?? configured) !== 'direct') return scope;
  return { key: `${scope.key}${DIRECT.pattern}`, patterns: [...scope.patterns, DIRECT] };
}
