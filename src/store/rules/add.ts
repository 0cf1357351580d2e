import type { AddedTasks, NamedDraft } from '../../backlog/backlog.ts';
import { refuseCycle } from '../../backlog/dependencies.ts';
import { action } from '../../kernel/action.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { setDependencies } from './dependencies.ts';
import { insertTask, newRow } from './row.ts';
import type { TaskRow } from './rows.ts';
import { all, type Rule, run, sql } from './say.ts';
import { recordEvent } from './states.ts';

interface Making {
  readonly at: number;
  readonly prefix: string;
  readonly newId: () => string;
}

export function* addDrafts(drafts: readonly NamedDraft[], { at, prefix, newId }: Making): Rule<AddedTasks> {
  const placed: { readonly id: string; readonly draft: NamedDraft; readonly isNew: boolean }[] = [];
  for (const draft of drafts) {
    const existing = yield* withSource(draft.source);
    placed.push({ id: existing ?? newId(), draft, isNew: existing === undefined });
  }
  const names = new Map<string, string>();
  for (const { id, draft } of placed)
    for (const name of [draft.key, draft.title])
      if (name !== undefined && !names.has(name)) names.set(name, id);
  const fresh = placed.filter(({ isNew }) => isNew);
  const needs = new Map<string, readonly string[]>();
  for (const { id, draft } of fresh)
    needs.set(id, yield* resolve(draft.dependencies ?? [], names, draft.title));
  refuseCycle(needs, (id) => placed.find((each) => each.id === id)?.draft.title ?? id);

  for (const { id, draft } of fresh) {
    const row = newRow(id, draft, { at, prefix });
    yield* insertTask(row);
    yield* openLane(row);
    yield* recordEvent({ task: id, seq: 0, to: 'queued', reason: 'added', at, epoch: 0 });
  }
  for (const [id, others] of needs) if (others.length > 0) yield* setDependencies(id, others);
  return {
    added: fresh.map(({ id }) => id),
    known: placed.filter(({ isNew }) => !isNew).map(({ id }) => id),
  };
}

/** Makes the lane of a task known to those who look for the first of every lane. */
export function* openLane({ role, lane }: Pick<TaskRow, 'role' | 'lane'>): Rule<void> {
  yield* run(sql`insert into lane (role, name) values (${role}, ${lane}) on conflict do nothing`);
}

function* withSource(source: string | undefined): Rule<string | undefined> {
  if (source === undefined) return undefined;
  const rows = yield* all<{ id: string }>(sql`select id from task where source = ${source}`);
  return rows[0]?.id;
}

function* resolve(
  words: readonly string[],
  names: ReadonlyMap<string, string>,
  title: string,
): Rule<string[]> {
  const ids: string[] = [];
  for (const word of words) {
    const id = names.get(word) ?? (yield* taskWithId(word));
    if (id === undefined) {
      throw new UsageError(`"${title}" needs "${word}", which is no task.${didYouMean(word, names.keys())}`, {
        next: 'Name the id of a task, or the key or title of one in the same list. Nothing was changed.',
      });
    }
    ids.push(id);
  }
  return ids;
}

function* taskWithId(id: string): Rule<string | undefined> {
  const rows = yield* all<{ id: string }>(sql`select id from task where id = ${id}`);
  return rows[0]?.id;
}

/** Every id must be one of a task. */
export function* refuseUnknown(ids: readonly string[]): Rule<void> {
  for (const id of ids) {
    if ((yield* taskWithId(id)) === undefined) throw unknownTask(id);
  }
}

export function unknownTask(id: string): NotFoundError {
  return new NotFoundError(`There is no task ${id}.`, { next: action('task.list', 'List the tasks') });
}
