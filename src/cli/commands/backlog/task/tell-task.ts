import { stateWord } from '../../../../project/backlog/task-words.ts';
import type { Project } from '../../../../project/project.ts';
import type { Cli, ProjectOptions } from '../../../cli.ts';

/** A task after it was changed. */
export function tellTask(
  cli: Cli,
  project: Project,
  task: Awaited<ReturnType<Project['editTask']>>,
  { json }: ProjectOptions,
  word: string,
): void {
  if (json) return cli.json(task);
  cli.screen.line(`${word} ${task.id}, which is ${stateWord(task)}.`);
  return cli.next(project, 'task', 'show', task.id);
}
