import type { JsonObject } from '../kernel/json.ts';
import type { Usage } from './worker.ts';

/** What is known of an agent process inside a step while it runs: a stage task, or the one agent of a block. */
export type TaskEvent = { readonly task: string } & (
  | { readonly type: 'task.started'; readonly name: string; readonly agent: string; readonly mode: string }
  | { readonly type: 'task.output'; readonly raw: string; readonly clean: string }
  /** The agent waits for a person. */
  | {
      readonly type: 'task.interaction';
      readonly question: string;
      readonly choices: readonly string[];
      readonly payload: JsonObject;
    }
  | { readonly type: 'task.usage'; readonly usage: Usage; readonly estimated: boolean }
  /** One event of the agent's own stream. */
  | { readonly type: 'task.activity'; readonly event: JsonObject }
);

export const TASK_STATUSES = ['PENDING', 'RUNNING', 'WAITING_FOR_USER', 'DONE', 'ERROR'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export function isTaskStatus(value: unknown): value is TaskStatus {
  return TASK_STATUSES.some((status) => status === value);
}

/** How a task's process ended; nothing of it when a person called the task complete. */
export type TaskExit = {
  readonly code?: number;
  readonly signal?: string;
};

/** A running task as people reach it from this or another terminal. */
export interface LiveTask {
  readonly id: string;
  readonly interactive: boolean;
  /** Keys as they were typed. */
  send(text: string): void;
  /** The answer to its open question: a choice, its number, or any text. Throws when it has asked nothing. */
  answer(text: string): void;
  /** Ends an interactive task as done. */
  complete(): Promise<void>;
  /** Ends its process; the task counts as not done. */
  stop(): Promise<void>;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** What repaints a terminal that joins now. */
  screen(): Promise<string>;
}
