import { sql } from 'kysely';
import { UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { Query } from '../../store/database.ts';
import { refuseCycle, setDependencies } from './dependencies.ts';
import { newRow } from './row.ts';
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

export async function addDrafts(
  query: Query,
  drafts: readonly NamedDraft[],
  { at, newId }: Making,
): Promise<AddedTasks> {
  const placed: { readonly id: string; readonly draft: NamedDraft; readonly isNew: boolean }[] = [];
  for (const draft of drafts) {
    const existing = await withSource(query, draft.source);
    placed.push({ id: existing ?? newId(), draft, isNew: existing === undefined });
  }
  const names = new Map<string, string>();
  for (const { id, draft } of placed)
    for (const name of [draft.key, draft.title])
      if (name !== undefined && !names.has(name)) names.set(name, id);
  const fresh = placed.filter(({ isNew }) => isNew);
  const needs = new Map<string, readonly string[]>();
  for (const { id, draft } of fresh)
    needs.set(id, await resolve(query, draft.dependencies ?? [], names, draft.title));
  refuseCycle(needs, (id) => placed.find((each) => each.id === id)?.draft.title ?? id);

  for (const { id, draft } of fresh) {
    const row = newRow(id, draft, at);
    await query.insertInto('task').values(row).execute();
    await openLane(query, row);
    await recordEvent(query, { task: id, seq: 0, to: 'queued', reason: 'added', at, epoch: 0 });
  }
  for (const [id, others] of needs) if (others.length > 0) await setDependencies(query, id, others);
  return {
    added: fresh.map(({ id }) => id),
    known: placed.filter(({ isNew }) => !isNew).map(({ id }) => id),
  };
}

/** Makes the lane of a task known to those who look for the first of every lane. */
export async function openLane(query: Query, { role, lane }: Pick<TaskRow, 'role' | 'lane'>): Promise<void> {
  await sql`insert into lane (role, name) values (${role}, ${lane}) on conflict do nothing`.execute(query);
}

async function withSource(query: Query, source: string | undefined): Promise<string | undefined> {
  if (source === undefined) return undefined;
  const { rows } = await sql<{ id: string }>`select id from task where source = ${source}`.execute(query);
  return rows[0]?.id;
}

async function resolve(
  query: Query,
  words: readonly string[],
  names: ReadonlyMap<string, string>,
  title: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const word of words) {
    const id = names.get(word) ?? (await taskWithId(query, word));
    if (id === undefined) {
      throw new UsageError(`"${title}" needs "${word}", which is no task.${didYouMean(word, names.keys())}`, {
        next: 'Name the id of a task, or the key or title of one in the same list. Nothing was changed.',
      });
    }
    ids.push(id);
  }
  return ids;
}

async function taskWithId(query: Query, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from task where id = ${id}`.execute(query);
  return rows[0]?.id;
}

/** Every id must be one of a task. */
export async function refuseUnknown(query: Query, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    if ((await taskWithId(query, id)) === undefined) throw unknownTask(id);
  }
}

export function unknownTask(id: string): UsageError {
  return new UsageError(`There is no task ${id}.`, { next: 'List them with `loopwright task list`.' });
}
