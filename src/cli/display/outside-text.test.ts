import { expect, test } from 'vitest';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { actionsFor } from '../../project/sessions/actions.ts';
import { situationOf } from '../../project/sessions/situation.ts';
import { viewOf } from '../../project/sessions/view.ts';
import { sentenceFor } from '../cli.ts';
import { segmentLines } from './segments.ts';
import { sessionLines } from './session-page.ts';
import { finishedLine } from './steps.ts';
import { makeStyle } from './style.ts';

const EVIL = 'A\u001b[2J\u001b]0;owned\u0007\r\u009b5mB';
const style = makeStyle(false);

/** A session whose worker, a function of somebody's own, puts escape sequences wherever it can. */
async function evilSession() {
  const sessions = SessionManager.inMemory();
  const blocks = {
    Work: { worker: 'Evil', transitions: [{ on_signal: `SIGNAL:${EVIL}`, action: 'RETURN' }] },
  };
  const orchestrator = new Orchestrator(
    { Main: { entry_block: 'Work', blocks } },
    {
      sessions,
      workers: {
        Evil: (_, run) => ({
          signal: `SIGNAL:${EVIL}`,
          new_payload: [run.segment(EVIL, EVIL, { [EVIL]: EVIL }), { id: EVIL, type: 'NOTE', content: '' }],
        }),
      },
    },
  );
  const { sessionId } = await orchestrator.execute('Main', { goal: EVIL });
  return sessions.load(sessionId);
}

test('nothing that a worker answered reaches the terminal as an escape sequence', async () => {
  const snapshot = await evilSession();
  const { state } = snapshot;
  const lines = [
    ...sessionLines(viewOf(snapshot), { style, width: 100 }),
    ...segmentLines(state.history.segments(), style),
    ...state.trail.toArray().map((entry) => finishedLine(entry, 1, { style, width: 10 })),
  ];
  expect(lines.join('\n')).toContain('AB');
  expect(lines.filter((line) => /[^\P{Cc}\n]/u.test(line))).toEqual([]);
});

test('neither do the choices of a question, in what can be done next', async () => {
  const snapshot = await evilSession();
  const question = { question: EVIL, choices: [EVIL] };
  const halt = { reason: 'question', message: EVIL, block: null, resumeAt: null, question } as const;
  const actions = actionsFor({ ...situationOf(snapshot), status: 'halted', halt });
  const lines = actions.map((each) => sentenceFor({ dir: process.cwd() }, each));
  expect(lines[0]).toContain('resume');
  expect(lines.filter((line) => /[^\P{Cc}\n]/u.test(line))).toEqual([]);
});
