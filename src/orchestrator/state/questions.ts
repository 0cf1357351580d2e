import type { SessionState } from './session-state.ts';

/** What an agent of a running session waits to be told. */
export interface OpenQuestion {
  readonly task: string;
  readonly question: string;
  readonly choices: readonly string[];
}

/** From the journal, so that a terminal other than the one that runs the session sees it too. */
export function questionsIn({ status, tasks, notes }: SessionState): readonly OpenQuestion[] {
  if (status !== 'running') return [];
  const waiting = Object.keys(tasks).filter((task) => tasks[task] === 'WAITING_FOR_USER');
  if (waiting.length === 0) return [];
  const asked = notes
    .toArray()
    .flatMap((note) => (note.type === 'task' && note.status === 'WAITING_FOR_USER' ? [note] : []));
  return waiting.map((task) => {
    const { question = '', choices = [] } = asked.findLast((note) => note.task === task) ?? {};
    return { task, question, choices };
  });
}
