import type { ChangeSet, Holder, Obstacle } from '../../backlog/change-set.ts';
import { clash, type PlanPattern } from '../../backlog/pattern.ts';
import { all, type Rule, run, sql } from './say.ts';

/** One path that a session or a running task may change; `prefix` is its literal beginning, by which clashes are found. */
interface PathRow {
  readonly kind: Holder['kind'];
  readonly holder: string;
  readonly scope: string;
  readonly pattern: string;
  readonly prefix: string;
  readonly wide: number;
}

/**
 * Everybody who may change what the pattern means: entries that begin with its prefix, and those it begins with. Both
 * are found through the key, so the cost does not grow with the rest.
 */
export function* clashesWith(pattern: PlanPattern): Rule<Obstacle[]> {
  const { prefix } = pattern;
  const near = yield* all<PathRow>(sql`
    select p.kind, p.holder, p.scope, p.pattern, p.prefix, p.wide
      from json_each(${JSON.stringify(beginningsOf(prefix))}) b cross join planned_path p on p.prefix = b.value
    union all
    select kind, holder, scope, pattern, prefix, wide from planned_path
      where prefix > ${prefix} and prefix < ${`${prefix}\u{10ffff}`}`);
  return near
    .filter((row) => clash(pattern, { ...row, wide: row.wide === 1 }))
    .map(({ kind, holder, scope, pattern: path }) => ({ kind, id: holder, key: scope, path }));
}

/** Somebody else who means to change one of the files of a change set. */
export function* obstacleTo(changes: ChangeSet, self?: Holder): Rule<Obstacle | undefined> {
  for (const pattern of changes.patterns) {
    const found = (yield* clashesWith(pattern)).find((other) => !isSame(other, self));
    if (found) return found;
  }
  return undefined;
}

/** Others that mean to change the same wait from here on; gives what is new of it. */
export function* occupy({ kind, id }: Holder, { key, patterns }: ChangeSet): Rule<PlanPattern[]> {
  const added: PlanPattern[] = [];
  for (const each of patterns) {
    const { pattern, prefix, wide } = each;
    const rows = yield* run(sql`insert into planned_path (prefix, pattern, kind, holder, wide, scope)
      values (${prefix}, ${pattern}, ${kind}, ${id}, ${wide ? 1 : 0}, ${key}) on conflict do nothing`);
    if (rows > 0) added.push(each);
  }
  return added;
}

/** Ends the lease of a task and frees its files; gives the run that had it. */
export function* vacate(task: string): Rule<string | undefined> {
  const [lease] = yield* all<{ run: string; paths: string }>(sql`delete from lease where task = ${task}
    returning run, paths`);
  if (lease && lease.paths !== '[]')
    yield* run(sql`delete from planned_path where kind = 'task' and holder = ${task}
      and prefix in (select value from json_each(${lease.paths}))`);
  return lease?.run;
}

export function isSame(a: Holder, b: Holder | undefined): boolean {
  return a.id === b?.id && a.kind === b.kind;
}

/** Every beginning of a text, the empty one and the text itself included. */
function beginningsOf(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length));
}
