import { foldEvent, type LiveSession, NOT_STARTED } from '../../api/live.ts';
import { clip, oneLine } from '../../kernel/words.ts';
import type { JsonTaskEvent } from '../../project/runtime/task-event.ts';
import type { Screen } from '../output.ts';
import { facts } from './task-board.ts';

type Release = Extract<JsonTaskEvent, { readonly type: 'task.released' }>['release'];

/** Long enough for what happened and what to do about it. */
const LONGEST_REASON = 300;
const LONGEST_TITLE = 70;

/** Shows the tasks that a runtime has at work. */
export interface RuntimeDisplay {
  event(event: JsonTaskEvent): void;
  /** A line that stays, and that is for people only. */
  line(text: string): void;
  close(): void;
}

export interface RuntimeView {
  readonly json: boolean;
  /** The command that answers an agent of a session. */
  readonly answerWith: (session: string, task: string) => string;
}

/** A live view for a person, lines for a pipe, JSON for a program. */
export async function openRuntimeDisplay(screen: Screen, view: RuntimeView): Promise<RuntimeDisplay> {
  if (view.json) return { event: (event) => screen.json(event), line: nothing, close: nothing };
  if (screen.live) return (await import('./live-runtime.ts')).liveRuntimeDisplay(screen, view);
  return plainRuntimeDisplay(screen);
}

const nothing = (): void => undefined;

/** Line by line: several tasks run at once, so every line names its own. */
function plainRuntimeDisplay(screen: Screen): RuntimeDisplay {
  const { dim, yellow } = screen.style;
  const boards = new Map<string, LiveSession>();
  const line = (task: string, text: string): void => screen.line(taskLine(screen, task, text));
  return {
    event(event) {
      const { task } = event;
      if (event.type === 'task.released') boards.delete(task);
      if (event.type !== 'task.session') {
        const words = taskWords(screen, event);
        return words === undefined ? undefined : line(task, words);
      }
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
    },
    line: (text) => screen.line(text),
    close: nothing,
  };
}

export function taskLine({ style }: Screen, task: string, text: string): string {
  return `${style.dim(taskLabel(task))}  ${text}`;
}

export function taskLabel(task: string): string {
  return task.slice(-6);
}

/** What happened to a task, beside its session; undefined: nothing that is worth a line. */
export function taskWords(
  screen: Screen,
  event: Exclude<JsonTaskEvent, { readonly type: 'task.session' }>,
): string | undefined {
  const { dim, cyan, yellow } = screen.style;
  switch (event.type) {
    case 'task.claimed': {
      const { title, role } = event.claim.task;
      const again = event.claim.attempt > 1 ? `, attempt ${event.claim.attempt}` : '';
      const from = event.claim.takenFrom ? `, taken over from ${event.claim.takenFrom.agentId}` : '';
      return `${cyan('claimed')} ${clip(oneLine(title), screen.live ? Math.max(10, screen.columns - 40) : LONGEST_TITLE)} ${dim(`(${role}${again}${from})`)}`;
    }
    case 'task.skipped':
      return yellow(`skipped: ${event.reason}`);
    case 'task.noted':
      return dim(oneLine(event.note));
    case 'task.released':
      return event.counted
        ? releaseWords(event.release, screen)
        : yellow('let go: it was cancelled, or another runtime has it now');
    case 'task.step':
      return undefined;
  }
}

function releaseWords(release: Release, screen: Screen): string {
  const { green, yellow, red, dim } = screen.style;
  const reason = dim(clip(oneLine(release.reason), LONGEST_REASON));
  if (release.state === 'done') return `${green('done')} ${reason}`;
  if (release.state === 'blocked') return `${yellow(`blocked (${release.block})`)} ${reason}`;
  return `${release.state === 'failed' ? red('failed') : yellow(release.state)} ${reason}`;
}
