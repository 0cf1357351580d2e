import type { TaskFacts } from '../task-facts.ts';

const CHECK_SCRIPT = /^(?:npm|pnpm|yarn|bun)(?:\s+run)?\s+(?:[\w.-]+:)*check(?:[:\w.-]*)?(?:\s|$)/;
const WATCHES = /(?:^|\s)(?:--watch(?:All)?(?:=(?!false)\S*)?|-w|watch)(?:\s|$)/;
const END_TO_END = /\be2e\b|end[- ]to[- ]end|\bplaywright\b|\bcypress\b/i;

/** Why the role of a task keeps a command from being run, or undefined. */
export function objectionOfRole(
  task: TaskFacts,
  command: string,
  source: 'explicit' | 'automatic',
): string | undefined {
  if (task.role === 'docser' && !CHECK_SCRIPT.test(command.trim())) {
    return 'documentation is only held against the check scripts of the package manager';
  }
  if (task.role !== 'tester') return undefined;
  if (WATCHES.test(command)) return 'watch mode never ends';
  if (source === 'automatic' && END_TO_END.test(command) && !END_TO_END.test(`${task.title} ${task.goal}`)) {
    return 'end-to-end tests run only where the task asks for them';
  }
  return undefined;
}
