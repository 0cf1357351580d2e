import { foldEvent, type LiveSession, NOT_STARTED } from '../../api/live.ts';
import { clip, oneLine } from '../../kernel/words.ts';
import type { JsonTaskEvent } from '../../project/runtime/task-event.ts';
import { facts } from '../display/task-board.ts';
import type { Screen } from '../output.ts';

type Release = Extract<JsonTaskEvent, { readonly type: 'task.released' }>['release'];

/** Long enough for what happened and what to do about it. */
const LONGEST_REASON = 300;

/** What the runtime does, line by line: several tasks run at once, so every line names its own. */
export function runtimeDisplay(screen: Screen, { json }: { json: boolean }): (event: JsonTaskEvent) => void {
  if (json) return (event) => screen.json(event);
  const { dim, cyan, yellow } = screen.style;
  const boards = new Map<string, LiveSession>();
  const label = (task: string): string => dim(task.slice(-6));
  const line = (task: string, text: string): void => screen.line(`${label(task)}  ${text}`);
  return (event) => {
    const { task } = event;
    switch (event.type) {
      case 'task.claimed': {
        const { title, role } = event.claim.task;
        const again = event.claim.attempt > 1 ? `, attempt ${event.claim.attempt}` : '';
        const from = event.claim.takenFrom ? `, taken over from ${event.claim.takenFrom.agentId}` : '';
        return line(
          task,
          `${cyan('claimed')} ${clip(oneLine(title), 70)} ${dim(`(${role}${again}${from})`)}`,
        );
      }
      case 'task.skipped':
        return line(task, yellow(`skipped: ${event.reason}`));
      case 'task.noted':
        return line(task, dim(oneLine(event.note)));
      case 'task.released':
        boards.delete(task);
        return line(
          task,
          event.counted
            ? releaseWords(event.release, screen)
            : yellow('let go: it was cancelled, or another runtime has it now'),
        );
      case 'task.session': {
        const { event: inner } = event;
        const live = foldEvent(boards.get(task) ?? NOT_STARTED, inner, performance.now());
        boards.set(task, live);
        if (inner.type === 'task.interaction') return line(task, yellow(`asks: ${oneLine(inner.question)}`));
        if (inner.type === 'task.status' && inner.status === 'DONE') {
          const known = live.tasks.find(({ id }) => id === inner.task);
          return known ? line(task, dim(`${inner.task}: ${facts(known, performance.now())}`)) : undefined;
        }
        if (inner.type === 'budget.near') return line(task, yellow(inner.message));
        if (inner.type === 'step.finished')
          return line(task, dim(`${inner.entry.block} ${inner.entry.signal.replace('SIGNAL:', '')}`));
        return undefined;
      }
      default:
        return undefined;
    }
  };
}

function releaseWords(release: Release, screen: Screen): string {
  const { green, yellow, red, dim } = screen.style;
  const reason = dim(clip(oneLine(release.reason), LONGEST_REASON));
  if (release.state === 'done') return `${green('done')} ${reason}`;
  if (release.state === 'blocked') return `${yellow(`blocked (${release.block})`)} ${reason}`;
  return `${release.state === 'failed' ? red('failed') : yellow(release.state)} ${reason}`;
}
