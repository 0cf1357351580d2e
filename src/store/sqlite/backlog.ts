import type { AddedTasks, Backlog, NamedDraft, TaskFilter } from '../../backlog/backlog.ts';
import type { PastFailure, TaskHistory } from '../../backlog/history.ts';
import type { Task, TaskDraft } from '../../backlog/task.ts';
import { checkDraft, refuseUnknownAgents } from '../../backlog/validate.ts';
import type { Role } from '../../kernel/runtime-words.ts';
import { addDrafts } from '../rules/add.ts';
import { editTask, removeTask } from '../rules/edit.ts';
import { earlierFailures, historyOf } from '../rules/history.ts';
import { idsOfTasks, tasksOf, taskWith, withProof } from '../rules/read.ts';
import { withWaits } from '../rules/waits.ts';
import type { StoreContext } from './context.ts';
import type { Database } from './database.ts';

/** The backlog in the embedded database. */
export class SqliteBacklog implements Backlog {
  readonly #database: Database;
  readonly #context: StoreContext;

  constructor(database: Database, context: StoreContext) {
    this.#database = database;
    this.#context = context;
  }

  async add(drafts: readonly NamedDraft[]): Promise<AddedTasks> {
    const { clock, ids: newId, agents, prefix } = this.#context;
    for (const draft of drafts) {
      checkDraft(draft);
      refuseUnknownAgents(draft.agents, agents);
    }
    return this.#database.transact(() => addDrafts(drafts, { at: clock.now(), prefix, newId }));
  }

  async edit(id: string, changes: Partial<TaskDraft>): Promise<void> {
    const { clock, agents, prefix } = this.#context;
    refuseUnknownAgents(changes.agents, agents);
    return this.#database.transact(() => editTask(id, changes, { at: clock.now(), prefix }));
  }

  remove(id: string): Promise<void> {
    return this.#database.transact(() => removeTask(id));
  }

  get(id: string): Promise<Task | undefined> {
    return this.#database.read(taskWith(id));
  }

  ids(): Promise<string[]> {
    return this.#database.read(idsOfTasks());
  }

  list(filter: TaskFilter = {}): Promise<Task[]> {
    return this.#database.read(tasksOf(filter));
  }

  history(id: string): Promise<TaskHistory> {
    return this.#database.read(historyOf(id));
  }

  earlierFailures(id: string): Promise<readonly PastFailure[]> {
    return this.#database.read(earlierFailures(id));
  }

  withWaits(tasks: readonly Task[], agentsOf: (role: Role) => readonly string[]): Promise<Task[]> {
    return this.#database.read(withWaits(tasks, { at: this.#context.clock.now(), agentsOf }));
  }

  withProof(tasks: readonly Task[]): Promise<Task[]> {
    return this.#database.read(withProof(tasks));
  }
}
