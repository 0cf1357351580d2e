import { type JsonEvent, jsonEvent } from '../../orchestrator/control/json-event.ts';
import type { TaskRuntimeEvent } from '../../tasks/run-task.ts';

type OfSession = Extract<TaskRuntimeEvent, { readonly type: 'task.session' }>;

/** What a runtime tells, as plain JSON. */
export type JsonTaskEvent =
  | Exclude<TaskRuntimeEvent, OfSession>
  | (Omit<OfSession, 'event'> & { readonly event: JsonEvent });

export function jsonTaskEvent(event: TaskRuntimeEvent): JsonTaskEvent {
  return event.type === 'task.session' ? { ...event, event: jsonEvent(event.event) } : event;
}
