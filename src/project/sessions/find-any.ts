import { existsSync } from 'node:fs';
import type { OpenProject } from '../open.ts';

/** Whether an id is meant: all of it, or its beginning or end. */
export function fitsId(id: string, written: string): boolean {
  const [name, wanted] = [id.toUpperCase(), written.toUpperCase()];
  return name.startsWith(wanted) || name.endsWith(wanted);
}

/** Whether a word names a task of the backlog; a session of that name goes first. */
export async function isTaskId({ sessions, project }: OpenProject, written: string): Promise<boolean> {
  if (sessions.ids().some((id) => fitsId(id, written)) || !existsSync(project.database)) return false;
  const { taskIds } = await import('../backlog/tasks.ts');
  return (await taskIds(project)).some((id) => fitsId(id, written));
}
