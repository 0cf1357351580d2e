import { LoopwrightError } from '../../kernel/errors.ts';
import type { TaskLine } from '../../orchestrator/control/protocol.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from './list.ts';
import { reachOwner } from './reach.ts';

export interface StageTasks {
  /** The process that runs the session could be asked. */
  readonly reachable: boolean;
  readonly tasks: readonly TaskLine[];
}

/** The stage tasks of a session: as its process tells them, else as they were recorded. */
export async function stageTasks(opened: OpenProject, written: string): Promise<StageTasks> {
  const id = findSession(opened.sessions, written);
  const summary = opened.sessions.summary(id);
  const recorded = Object.entries(summary.tasks).map(([task, status]) => ({
    id: task,
    status,
    interactive: false,
  }));
  if (!summary.ownerAlive) return { reachable: false, tasks: recorded };
  try {
    const { owner } = await reachOwner(opened, id);
    try {
      const { tasks = [] } = await owner.ask({ do: 'tasks' });
      return { reachable: true, tasks };
    } finally {
      owner.close();
    }
  } catch (error) {
    // It ended just now.
    if (!(error instanceof LoopwrightError)) throw error;
    return { reachable: false, tasks: recorded };
  }
}

/** Types into the terminal of a stage task, as somebody who sits in front of it. */
export async function typeInto(
  opened: OpenProject,
  written: string,
  stageTask: string,
  text: string,
): Promise<{ readonly session: string; readonly task: string }> {
  const { owner, id } = await reachOwner(opened, written);
  try {
    await owner.ask({ do: 'attach', task: stageTask });
    owner.tell({ do: 'input', text });
    return { session: id, task: stageTask };
  } finally {
    owner.close();
  }
}
