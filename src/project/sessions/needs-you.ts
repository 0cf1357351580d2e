import { existsSync } from 'node:fs';
import type { Task } from '../../backlog/task.ts';
import { type Action, action } from '../../kernel/action.ts';
import { SUSPICIOUS } from '../../tasks/runtime/outcome.ts';
import type { OpenProject } from '../open.ts';
import { actionsFor } from './actions.ts';
import { readSession, statusWord } from './list.ts';
import { situationOf } from './situation.ts';

/**
 * question   an agent or a workflow asks
 * halted     a session stopped for a reason that a person must look at
 * died       the process of a session is gone
 * verdict    a task has delivered and waits to be judged
 * rework     a task cannot continue without a person
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

function sessionsInNeed({ sessions }: OpenProject): NeedsYou[] {
  return sessions.ids().flatMap((id): NeedsYou[] => {
    const listed = readSession(sessions, id);
    // The backlog speaks for its own sessions.
    if ('problem' in listed || listed.summary.task !== null) return [];
    const { status, halt, error, goal, since, questions, delivery } = listed.summary;
    // Whoever took its files, or made it and left it there, knows about it.
    if (delivery?.kind === 'delivered' || delivery?.kind === 'proposed') return [];
    const about = { session: id, title: goal, since } as const;
    const actions = (): Action[] => actionsFor(situationOf(sessions.load(id)));
    if (status === 'halted' && halt) {
      return [
        { ...about, kind: halt.question ? 'question' : 'halted', what: halt.message, actions: actions() },
      ];
    }
    if (status === 'failed')
      return [{ ...about, kind: 'halted', what: error?.message ?? '', actions: actions() }];
    if (statusWord(listed.summary) === 'died')
      return [{ ...about, kind: 'died', what: 'the process that ran it is gone', actions: actions() }];
    return questions.map(({ task, question, choices }) => ({
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
  waitsUntil,
  updatedAt,
}: Task): NeedsYou | undefined {
  const about = { task, title, since: updatedAt } as const;
  const look = action('task.show', 'Look at it', { task });
  if (blockReason === 'awaiting_judge') {
    const reason = failureCode === SUSPICIOUS ? { suspicious: '<reason>' } : {};
    const rework: Action = {
      ...action('task.rework', 'Ask for another attempt', { task }),
      needs: ['notes'],
    };
    return {
      ...about,
      kind: 'verdict',
      what: 'it has delivered and waits for your verdict',
      actions: [
        { ...action('session.diff', 'Show changes', { session: task }), why: 'see what it changed' },
        {
          ...action('session.accept', 'Accept', { session: task, ...reason }),
          why: 'bring it into its base branch',
        },
        { ...rework, why: 'ask for another attempt' },
        { ...look, why: 'see its runs and what was proven' },
      ],
    };
  }
  const isStuck = (blockReason === 'needs_rework' || state === 'failed') && waitsUntil === undefined;
  if (!isStuck) return undefined;
  const requeue: Action = { ...action('task.requeue', 'Put it back in line', { task }), needs: ['notes'] };
  return {
    ...about,
    kind: 'rework',
    what: waitsFor ?? failureCode ?? 'it cannot continue by itself',
    actions: [look, requeue],
  };
}
