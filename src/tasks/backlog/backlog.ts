import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type MakeId, sortableIds } from '../../kernel/ids.ts';
import type { Database } from '../../store/database.ts';
import { type AddedTasks, addDrafts, type NamedDraft } from './add.ts';
import { editTask, removeTask } from './edit.ts';
import { type History, historyOf } from './history.ts';
import { taskOf } from './row.ts';
import type { Task, TaskDraft, TaskRow, TaskState } from './task.ts';
import { checkDraft, refuseUnknownAgents } from './validate.ts';

export interface TaskFilter {
  readonly states?: readonly TaskState[];
  readonly role?: Task['role'];
  readonly limit?: number;
}

export interface BacklogOptions {
  readonly clock?: Clock;
  readonly ids?: MakeId;
  /** The agents that there are, for tasks that name some; absent: anything is taken. */
  readonly agents?: () => readonly string[];
}

/** The tasks of a project: what is asked for. Who works on what when is the scheduler's. */
export class Backlog {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: MakeId;
  readonly #agents: BacklogOptions['agents'];

  constructor(database: Database, options: BacklogOptions = {}) {
    this.#database = database;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? sortableIds();
    this.#agents = options.agents;
  }

  /** All of them or none; those whose source is known already are left as they are. */
  async add(drafts: readonly NamedDraft[]): Promise<AddedTasks> {
    for (const draft of drafts) {
      checkDraft(draft);
      refuseUnknownAgents(draft.agents, this.#agents);
    }
    const at = this.#clock.now();
    return this.#database.transact((rows) => addDrafts(rows, drafts, { at, newId: this.#ids }));
  }

  async edit(id: string, changes: Partial<TaskDraft>): Promise<void> {
    refuseUnknownAgents(changes.agents, this.#agents);
    return this.#database.transact((rows) => editTask(rows, id, changes, this.#clock.now()));
  }

  remove(id: string): Promise<void> {
    return this.#database.transact((rows) => removeTask(rows, id));
  }

  async get(id: string): Promise<Task | undefined> {
    const rows = await this.#database.query.selectFrom('task').selectAll().where('id', '=', id).execute();
    return (await this.#withDependencies(rows))[0];
  }

  async ids(): Promise<string[]> {
    const rows = await this.#database.query.selectFrom('task').select('id').orderBy('seq').execute();
    return rows.map(({ id }) => id);
  }

  /** In the order of the line: by priority, then age. */
  async list({ states, role, limit }: TaskFilter = {}): Promise<Task[]> {
    let query = this.#database.query.selectFrom('task').selectAll().orderBy('rank').orderBy('seq');
    if (states !== undefined) query = query.where('state', 'in', states);
    if (role !== undefined) query = query.where('role', '=', role);
    return this.#withDependencies(await (limit === undefined ? query : query.limit(limit)).execute());
  }

  async counts(): Promise<{ readonly [state in TaskState]?: number }> {
    const rows = await this.#database.query
      .selectFrom('task')
      .select(['state', (count) => count.fn.countAll<number>().as('n')])
      .groupBy('state')
      .execute();
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  }

  history(id: string): Promise<History> {
    return historyOf(this.#database.query, id);
  }

  async #withDependencies(rows: readonly TaskRow[]): Promise<Task[]> {
    const ids = rows.slice(0, 2).map(({ id }) => id);
    const edges = this.#database.query.selectFrom('task_dependency').selectAll();
    const known = await (ids.length > 1 ? edges : edges.where('task', 'in', ids)).execute();
    const needs = new Map<string, string[]>();
    for (const { task, needs: other } of known) needs.set(task, [...(needs.get(task) ?? []), other]);
    return rows.map((row) => taskOf(row, needs.get(row.id) ?? []));
  }
}
