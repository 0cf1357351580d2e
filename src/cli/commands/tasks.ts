import { UsageError } from '../../kernel/errors.ts';
import { openSessions } from '../../project/open-sessions.ts';
import { findSession } from '../../project/sessions/list.ts';
import { type ReachOptions, reachOwner } from '../../project/sessions/reach.ts';
import type { Screen } from '../output.ts';
import { continueSession } from './continue.ts';

/** Answers what an agent asked, or the question a session halted on. */
export async function answer(
  screen: Screen,
  written: string,
  text: string,
  options: ReachOptions,
): Promise<number> {
  const { sessions } = openSessions(options.dir);
  const id = findSession(sessions, written);
  const { state } = sessions.load(id);
  if (state.halt?.question && options.task === undefined) {
    return continueSession(screen, 'resume', id, { ...options, answer: text, wait: true });
  }
  const { owner } = await reachOwner(id, options);
  try {
    const { task = '' } = await owner.ask({ do: 'answer', text, ...named(options) });
    return said(screen, options, { session: id, task, status: 'RUNNING' }, `Answered task ${task}.`);
  } finally {
    owner.close();
  }
}

/** Ends a running task: as done, or as not done. */
export async function endTask(
  screen: Screen,
  how: 'complete' | 'stop',
  written: string | undefined,
  options: ReachOptions,
): Promise<number> {
  const { owner, id } = await reachOwner(written, options);
  try {
    const { task = '' } = await owner.ask({ do: how, ...named(options) });
    const line =
      how === 'complete' ? `Task ${task} is done.` : `Task ${task} is stopped; its stage has failed.`;
    return said(screen, options, { session: id, task, status: 'DONE' }, line);
  } finally {
    owner.close();
  }
}

function named({ task }: ReachOptions): { task?: string } {
  if (task === '') throw new UsageError('A task has a name.', { next: 'Give it as --task <id>.' });
  return task === undefined ? {} : { task };
}

function said(screen: Screen, { json }: ReachOptions, value: object, line: string): number {
  if (json) screen.json(value);
  else screen.line(line);
  return 0;
}
