import { existsSync } from 'node:fs';
import { type Action, action } from '../../kernel/action.ts';
import type { Task } from '../../tasks/backlog/task.ts';
import type { OpenProject } from '../open.ts';
import { actionsFor, situationOf } from './actions.ts';
import { endedByProjection, readSession } from './list.ts';
import { openQuestions } from './open-questions.ts';

/**
 * question   an agent or a workflow asks
 * halted     a session stopped for a reason that a person must look at
 * died       the process of a session is gone
 * verdict    a task has delivered and waits to be judged
 * rework     a task cannot go on without a person
 */
export type NeedKind = 'question' | 'halted' | 'died' | 'verdict' | 'rework';

/** One thing that waits for a person. */
export interface NeedsYou {
  readonly kind: NeedKind;
  readonly since: number;
  /** What it is about: the goal of a session, the title of a task. */
  readonly title: string;
  /** Why it waits, in words. */
  readonly what: string;
  readonly session?: string;
  readonly task?: string;
  /** The most likely first. */
  readonly actions: readonly Action[];
}

/** Everything that waits for a person, the longest first. */
export async function needsYou(opened: OpenProject): Promise<NeedsYou[]> {
  const all = [...sessionsInNeed(opened), ...(await tasksInNeed(opened))];
  return all.sort((a, b) => a.since - b.since);
}

function sessionsInNeed({ project, sessions }: OpenProject): NeedsYou[] {
  const open = sessions.ids().filter((id) => !endedByProjection(project.sessions, id));
  return open.flatMap((id): NeedsYou[] => {
    const listed = readSession(sessions, id);
    if ('problem' in listed) return [];
    const { state, ownerAlive } = listed.snapshot;
    const situation = situationOf(listed.snapshot);
    // The backlog speaks for its own sessions.
    if (situation.task !== undefined) return [];
    const actions = actionsFor(situation);
    const about = { session: id, title: state.goal, since: state.updatedAt } as const;
    if (state.status === 'halted' && state.halt) {
      const kind = state.halt.question ? 'question' : 'halted';
      return [{ ...about, kind, what: state.halt.message, actions }];
    }
    if (state.status === 'failed')
      return [{ ...about, kind: 'halted', what: state.error?.message ?? '', actions }];
    if (state.status === 'running' && !ownerAlive)
      return [{ ...about, kind: 'died', what: 'the process that ran it is gone', actions }];
    return openQuestions(listed.snapshot).map(({ task, question, choices }) => ({
      ...about,
      kind: 'question',
      what: choices.length === 0 ? question : `${question} (${choices.join(', ')})`,
      actions: [
        {
          ...action('session.answer', `Answer ${task}`, { session: id, stageTask: task }),
          needs: ['answer'],
        },
      ],
    }));
  });
}

async function tasksInNeed(opened: OpenProject): Promise<NeedsYou[]> {
  if (!existsSync(opened.project.database)) return [];
  const { tasks } = await import('../backlog/tasks.ts');
  const open = await tasks(opened, { states: ['blocked', 'failed'] });
  return open.flatMap((task) => needOf(task) ?? []);
}

function needOf({
  id: task,
  title,
  state,
  blockReason,
  failureCode,
  waitsFor,
  updatedAt,
}: Task): NeedsYou | undefined {
  const about = { task, title, since: updatedAt } as const;
  const look = action('task.show', 'Look at it', { task });
  if (blockReason === 'awaiting_judge') {
    const rework: Action = {
      ...action('task.rework', 'Ask for another attempt', { task }),
      needs: ['notes'],
    };
    return {
      ...about,
      kind: 'verdict',
      what: 'it has delivered and waits for your verdict',
      actions: [look, action('task.approve', 'Approve it', { task }), rework],
    };
  }
  const isStuck = blockReason === 'needs_rework' || (state === 'failed' && waitsFor === undefined);
  if (!isStuck) return undefined;
  const requeue: Action = { ...action('task.requeue', 'Put it back in line', { task }), needs: ['notes'] };
  return {
    ...about,
    kind: 'rework',
    what: waitsFor ?? failureCode ?? 'it cannot go on by itself',
    actions: [look, requeue],
  };
}
