import { type Action, action, advise } from '../../kernel/action.ts';
import type { Halt } from '../../orchestrator/state/record.ts';
import { isSpent, larger } from './larger-budget.ts';
import type { Situation } from './situation.ts';
import type { AgentTrouble } from './why.ts';

/** What makes sense when a session halted, by its reason. */
export function haltActions(halt: Halt, situation: Situation): Action[] {
  const { id: session, used, budget, trouble } = situation;
  if (situation.ofManifest) return [takeUp(session)];
  if (trouble?.kind === 'auth') return loginActions(session, trouble);
  const retry: Action = {
    ...because(action('session.retry', 'Retry with a hint', { session }), 'run that block again with a hint'),
    needs: ['guidance'],
  };
  const resume = action('session.resume', 'Resume', { session });
  switch (halt.reason) {
    case 'files':
    case 'rewound':
      return [because(resume, 'continue from there')];
    case 'tampered':
      return [
        because(
          resume,
          'look at what was changed and put back what you did not do; then continue from there',
        ),
      ];
    case 'emptied':
      return [because(retry, 'run that block again with a hint'), because(resume, 'run it again as it was')];
    case 'suspicious':
      return [
        because(action('session.diff', 'Show changes', { session }), 'see what it changed'),
        because(
          action('session.accept', 'Accept with a reason', { session, suspicious: '<reason>' }),
          'accept these changes of the checks; the commit names them and your reason',
        ),
        because(retry, 'have it done without them'),
      ];
    case 'paths':
      return [
        because(
          action('session.retry', 'Have it undone', {
            session,
            guidance: `put ${(halt.paths ?? []).join(', ')} back as it was`,
          }),
          'have it undone by the block that did it',
        ),
        because(
          action('session.resume', 'Allow these files', { session, allow: halt.paths ?? [] }),
          'allow exactly these files and go on',
        ),
      ];
    case 'no_change':
      return [
        because(retry, 'say what is missing, and let the first block run again'),
        because(resume, 'there was nothing to do: end it as it is'),
      ];
    case 'unproven':
      return [
        because(
          action('session.retry', 'Run the gate again', { session }),
          'name a command that could fail in the configuration, then run the gate again with it',
        ),
        acceptUnproven(session),
      ];
    case 'flaky':
      return [
        because(
          action('session.retry', 'Run the check again', { session }),
          'run the check again: two greens in a row on these files open the gate',
        ),
        acceptUnproven(session),
      ];
    case 'question': {
      const { choices } = halt.question ?? {};
      if (!choices)
        return [
          { ...because(action('session.answer', 'Answer', { session }), 'answer it'), needs: ['answer'] },
        ];
      return choices.map((answer) =>
        because(action('session.answer', answer, { session, answer }), `answer "${answer}"`),
      );
    }
    case 'limit':
      return [
        because(retry, retryWords(halt)),
        ...(halt.retry ? [because(resume, `run ${halt.block} again on the files as they are now`)] : []),
      ];
    case 'budget':
      if (!isSpent(budget, used))
        return [because(resume, 'continue, once "prices" in the configuration have what it costs')];
      return [
        because(
          action('session.resume', 'Resume with a larger budget', {
            session,
            budget: larger(budget, used),
          }),
          'continue with a larger budget',
        ),
      ];
    case 'gate':
      return [
        because(
          action('session.retry', 'Run the gate again', { session }),
          'run the gate again on the files as they are now',
        ),
      ];
    case 'step':
      return [
        because(action('session.step', 'Step', { session }), 'run this one block'),
        because(resume, 'run on without stopping'),
      ];
    case 'interrupted':
      return [because(resume, 'run the block again and continue')];
    case 'flag':
      return [halt.retry ? because(retry, retryWords(halt)) : retry, because(resume, 'continue after it')];
  }
}

/** The manifest of a session is frozen: a corrected file counts only when somebody says so. */
export function takeUp(session: string): Action {
  return because(
    action('session.retry', 'Take up the corrected workflow', { session, manifest: 'current' }),
    'correct the workflow in its file, then take it up and run that block again',
  );
}

/** A hint does not help an agent that its provider turns away. */
function loginActions(session: string, { agent, login }: AgentTrouble): Action[] {
  return [
    advise(`Log in to ${agent}${login === undefined ? '' : `: ${login}`}`),
    because(action('session.retry', 'Retry', { session }), 'once you are logged in, run that block again'),
  ];
}

function acceptUnproven(session: string): Action {
  return because(
    action('session.accept', 'Accept without proof', { session, unproven: true }),
    'accept it without proof; the commit says so',
  );
}

/** Who gets the hint, and that the result is tested. */
function retryWords({ block, retry }: Halt): string {
  return retry
    ? `give ${retry.at} one more run with a hint; ${block} then tests the result`
    : `give ${block ?? 'the block'} one more run, with a hint`;
}

export function because(what: Action, why: string): Action {
  return { ...what, why };
}
