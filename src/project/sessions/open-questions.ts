import type { Snapshot } from '../../orchestrator/state/session-manager.ts';

/** What an agent of a running session waits to be told. */
export interface OpenQuestion {
  readonly task: string;
  readonly question: string;
  readonly choices: readonly string[];
}

/** Read from the journal, so that a terminal other than the one that runs the session sees it too. */
export function openQuestions({ state, ownerAlive }: Pick<Snapshot, 'state' | 'ownerAlive'>): OpenQuestion[] {
  if (state.status !== 'running' || !ownerAlive) return [];
  const notes = state.notes.toArray();
  const waiting = Object.entries(state.tasks).filter(([, status]) => status === 'WAITING_FOR_USER');
  return waiting.map(([task]) => {
    const asked = notes.flatMap((note) =>
      note.type === 'task' && note.task === task && note.status === 'WAITING_FOR_USER' ? [note] : [],
    );
    const { question = '', choices = [] } = asked.at(-1) ?? {};
    return { task, question, choices };
  });
}
