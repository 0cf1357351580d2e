import { UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { type Rows, sql } from '../../store/rows.ts';
import { refuseCycle, setDependencies } from './dependencies.ts';
import { insertTask, newRow } from './row.ts';
import { recordEvent } from './states.ts';
import type { TaskDraft, TaskRow } from './task.ts';

/** A draft that others in the same list can name in their dependencies, by its key or its title. */
export interface NamedDraft extends TaskDraft {
  readonly key?: string;
}

export interface AddedTasks {
  readonly added: readonly string[];
  /** Those that were imported before. */
  readonly known: readonly string[];
}

interface Making {
  readonly at: number;
  readonly newId: () => string;
}

export function addDrafts(query: Rows, drafts: readonly NamedDraft[], { at, newId }: Making): AddedTasks {
  const placed: { readonly id: string; readonly draft: NamedDraft; readonly isNew: boolean }[] = [];
  for (const draft of drafts) {
    const existing = withSource(query, draft.source);
    placed.push({ id: existing ?? newId(), draft, isNew: existing === undefined });
  }
  const names = new Map<string, string>();
  for (const { id, draft } of placed)
    for (const name of [draft.key, draft.title])
      if (name !== undefined && !names.has(name)) names.set(name, id);
  const fresh = placed.filter(({ isNew }) => isNew);
  const needs = new Map<string, readonly string[]>();
  for (const { id, draft } of fresh)
    needs.set(id, resolve(query, draft.dependencies ?? [], names, draft.title));
  refuseCycle(needs, (id) => placed.find((each) => each.id === id)?.draft.title ?? id);

  for (const { id, draft } of fresh) {
    const row = newRow(id, draft, at);
    insertTask(query, row);
    openLane(query, row);
    recordEvent(query, { task: id, seq: 0, to: 'queued', reason: 'added', at, epoch: 0 });
  }
  for (const [id, others] of needs) if (others.length > 0) setDependencies(query, id, others);
  return {
    added: fresh.map(({ id }) => id),
    known: placed.filter(({ isNew }) => !isNew).map(({ id }) => id),
  };
}

/** Makes the lane of a task known to those who look for the first of every lane. */
export function openLane(query: Rows, { role, lane }: Pick<TaskRow, 'role' | 'lane'>): void {
  query.run(sql`insert into lane (role, name) values (${role}, ${lane}) on conflict do nothing`);
}

function withSource(query: Rows, source: string | undefined): string | undefined {
  if (source === undefined) return undefined;
  const rows = query.all<{ id: string }>(sql`select id from task where source = ${source}`);
  return rows[0]?.id;
}

function resolve(
  query: Rows,
  words: readonly string[],
  names: ReadonlyMap<string, string>,
  title: string,
): string[] {
  const ids: string[] = [];
  for (const word of words) {
    const id = names.get(word) ?? taskWithId(query, word);
    if (id === undefined) {
      throw new UsageError(`"${title}" needs "${word}", which is no task.${didYouMean(word, names.keys())}`, {
        next: 'Name the id of a task, or the key or title of one in the same list. Nothing was changed.',
      });
    }
    ids.push(id);
  }
  return ids;
}

function taskWithId(query: Rows, id: string): string | undefined {
  const rows = query.all<{ id: string }>(sql`select id from task where id = ${id}`);
  return rows[0]?.id;
}

/** Every id must be one of a task. */
export function refuseUnknown(query: Rows, ids: readonly string[]): void {
  for (const id of ids) {
    if (taskWithId(query, id) === undefined) throw unknownTask(id);
  }
}

export function unknownTask(id: string): UsageError {
  return new UsageError(`There is no task ${id}.`, { next: 'List them with `loopwright task list`.' });
}
