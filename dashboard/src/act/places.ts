import type { Action } from '../../../src/kernel/action.ts';
import { word } from '../text/word.ts';

/** Where an action only leads to another page; undefined: it does something. */
export function placeOf({ id, with: input = {} }: Action): string | undefined {
  const session = `/sessions/${word(input['session'])}`;
  switch (id) {
    case 'session.show':
      return input['step'] === undefined ? session : `${session}/flow?step=${word(input['step'])}`;
    case 'session.diff':
      return `${session}/changes`;
    case 'session.logs':
      return `${session}/logs`;
    case 'session.timeline':
      return `${session}/timeline`;
    case 'session.attach':
      return `${session}/terminal`;
    case 'session.list':
      return '/sessions';
    case 'task.show':
    case 'task.restore':
    case 'task.edit':
      return `/tasks/${word(input['task'])}`;
    case 'board.show':
    case 'task.list':
    case 'task.add':
      return '/board';
    case 'agents.doctor':
    case 'agents.list':
      return '/agents';
    case 'conflicts.show':
    case 'worktree.list':
    case 'worktree.gc':
      return '/worktrees';
    case 'config.show':
      return '/settings';
    case 'budget.show':
    case 'budget.raise':
      return '/costs';
    default:
      return undefined;
  }
}
