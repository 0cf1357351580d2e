import { beginningsOf } from '../../store/beginnings.ts';
import { type Rows, sql } from '../../store/rows.ts';
import { clash } from '../../workspace/plan/pattern.ts';
import { DIRECT, type Scope } from '../backlog/scope.ts';

/** What stands in the way of a task: another one that runs, or that was passed over and goes first. */
export interface Obstacle {
  readonly task: string;
  readonly scope: string;
  readonly path: string;
}

/** A running task that means to change the same files; found through the index on prefixes. */
export function runningObstacle(query: Rows, scope: Scope): Obstacle | undefined {
  for (const pattern of scope.patterns) {
    const { prefix } = pattern;
    const beginnings = JSON.stringify(beginningsOf(prefix));
    const near = query.all<{
      task: string;
      scope: string;
      pattern: string;
      prefix: string;
      wide: number;
    }>(sql`
      select p.task, p.scope, p.pattern, p.prefix, p.wide
        from json_each(${beginnings}) b cross join lease_path p on p.prefix = b.value
      union all
      select task, scope, pattern, prefix, wide from lease_path
        where prefix > ${prefix} and prefix < ${`${prefix}\u{10ffff}`}`);
    const found = near.find((row) => clash(pattern, { ...row, wide: row.wide === 1 }));
    if (found) return { task: found.task, scope: found.scope, path: wordOf(found.pattern) };
  }
  return undefined;
}

/** One of these tasks that means to change the same files. */
export function obstacleAmong(
  others: readonly { readonly id: string; readonly scope: Scope }[],
  scope: Scope,
): Obstacle | undefined {
  for (const { id, scope: other } of others) {
    const pattern = other.patterns.find((theirs) => scope.patterns.some((ours) => clash(ours, theirs)));
    if (pattern) return { task: id, scope: other.key, path: wordOf(pattern.pattern) };
  }
  return undefined;
}

/** Others that mean to change the same wait from here on. */
export function occupy(query: Rows, task: string, { key, patterns }: Scope): void {
  for (const { pattern, prefix, wide } of patterns) {
    query.run(sql`insert into lease_path (prefix, pattern, task, wide, scope)
      values (${prefix}, ${pattern}, ${task}, ${wide ? 1 : 0}, ${key})`);
  }
}

/** Ends the lease of a task and frees its files; gives the run that had it. */
export function vacate(query: Rows, task: string): string | undefined {
  const rows = query.all<{ run: string; paths: string }>(sql`delete from lease where task = ${task}
    returning run, paths`);
  const [lease] = rows;
  if (lease && lease.paths !== '[]')
    query.run(sql`delete from lease_path where task = ${task}
      and prefix in (select value from json_each(${lease.paths}))`);
  return lease?.run;
}

function wordOf(pattern: string): string {
  return pattern === DIRECT.pattern ? 'the project folder itself (direct mode)' : pattern;
}
