import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { WaitCause } from '../../kernel/wait-cause.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import type { TaskLink } from './record.ts';

/** What journals of earlier versions say only between the lines; nothing that is written today is read here. */

/** The runtime was the only one that gave a session both of these inputs. */
export function taskInInputs({ task, rules }: JsonObject): TaskLink | null {
  const id = isJsonObject(task) && isJsonObject(rules) ? task.id : undefined;
  return typeof id === 'string' ? { id } : null;
}

/** The agent whose end of waiting is the end of the parking. */
export function agentParkedUntil(notes: Iterable<ProgressNote>, until: number): string | null {
  let agent: string | null = null;
  for (const note of notes) if (note.type === 'blocked' && note.until === until) agent = note.agent;
  return agent;
}

/** What is noted of that agent says why. */
export function causeOfPark(notes: Iterable<ProgressNote>, until: number): WaitCause | null {
  let cause: WaitCause | null = null;
  for (const note of notes)
    if (note.type === 'blocked' && note.until === until) cause = note.cause === 'quota' ? 'quota' : 'outage';
  return cause;
}

const NAMED = /\bby session ([0-9A-Za-z][0-9A-Za-z_-]*)/g;

/** Those that the sentence for people names. */
export function sessionsNamedIn(reason: string | undefined): readonly string[] {
  return [...(reason ?? '').matchAll(NAMED)].flatMap(([, id]) => id ?? []);
}
