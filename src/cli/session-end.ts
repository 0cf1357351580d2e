import { errorMessage } from '../kernel/errors.ts';
import { count, duration, indent, oneLine, plain } from '../kernel/words.ts';
import type { FinalState } from '../orchestrator/final-state.ts';
import type { Snapshot } from '../orchestrator/state/session-manager.ts';
import type { Used } from '../orchestrator/state/session-state.ts';
import type { SessionStatus } from '../orchestrator/state/status.ts';
import { openQuestions } from '../project/sessions/open-questions.ts';
import { taskOfSession } from '../project/sessions/task-session.ts';
import { type Advice, adviceFor, type Situation } from './advice.ts';
import type { Style } from './display/style.ts';
import { nextStep } from './errors.ts';
import type { Screen } from './output.ts';
import type { SessionRun } from './run-session.ts';

const EXIT: Readonly<Record<SessionStatus, number>> = {
  completed: 0,
  halted: 2,
  parked: 2,
  waiting: 2,
  held: 2,
  running: 2,
  failed: 1,
  aborted: 1,
};

type Outcome =
  | { readonly state: FinalState; readonly stopped: number | undefined }
  | { readonly error: unknown };

/** Says how the run ended and what to do next; gives the exit code. */
export async function closing(run: SessionRun, outcome: Outcome): Promise<number> {
  const { screen, project, sessions, orchestrator, json } = run;
  const snapshot = sessions.load(orchestrator.sessionId ?? '');
  const situation = situationOf(snapshot);
  const exitCode = ('stopped' in outcome ? outcome.stopped : undefined) ?? EXIT[snapshot.state.status];
  const advice = adviceFor(situation, project, run.guidance);
  sayAfterFailure(screen, advice);
  if (json) {
    screen.json(resultJson(snapshot, exitCode, advice, 'error' in outcome ? outcome.error : undefined));
    return exitCode;
  }
  screen.line();
  for (const line of endLines(snapshot, screen.style)) screen.line(line);
  if ('error' in outcome) {
    screen.error(`${screen.errorStyle.red('error:')} ${plain(errorMessage(outcome.error))}`);
    screen.error(`${screen.errorStyle.cyan('next:')} ${plain(nextStep(outcome.error))}`);
  }
  if (snapshot.state.status === 'completed') await run.completed?.();
  printAdvice(screen, advice);
  return exitCode;
}

/** The last word of a process that a second signal ends at once: its step is killed, its session is not lost. */
export function sayEndedAtOnce(run: SessionRun, exitCode: number): void {
  const { screen, project, sessions, orchestrator, json } = run;
  if (orchestrator.sessionId === undefined) return;
  const snapshot = { ...sessions.load(orchestrator.sessionId), ownerAlive: false };
  const advice = adviceFor(situationOf(snapshot), project, run.guidance);
  if (json) return screen.json(resultJson(snapshot, exitCode, advice, undefined));
  screen.line();
  screen.line(
    `${screen.style.yellow('⏸')} ${screen.style.bold('ended at once')}; the running block was killed`,
  );
  return printAdvice(screen, advice);
}

/** Where the output is lost, the way on must still be said. */
function sayAfterFailure(screen: Screen, [first]: readonly Advice[]): void {
  if (screen.failure !== undefined && first)
    screen.error(`${screen.errorStyle.cyan('next:')} ${first.why}\n  ${first.command}`);
}

export function situationOf({ state, ownerAlive }: Snapshot): Situation {
  const { id, status, halt, used, budget, step, files } = state;
  const task = taskOfSession(state);
  return {
    id,
    status,
    halt,
    used,
    budget,
    step,
    ownerAlive,
    kept: files !== null,
    asking: openQuestions({ state, ownerAlive }).map((asked) => asked.task),
    ...(task === undefined ? {} : { task }),
  };
}

/** Each command stands alone on its line, so that it can be copied as it is. */
export function printAdvice(screen: Screen, advice: readonly Advice[]): void {
  const { cyan } = screen.style;
  for (const [index, { command, why }] of advice.entries()) {
    screen.line(`${cyan(index === 0 ? 'next:' : 'or:  ')} ${why}`);
    screen.line(`  ${command}`);
  }
}

/** How a session stands, in one line, and its reason below. */
function endLines({ state }: Snapshot, style: Style): string[] {
  const { bold, green, yellow, red } = style;
  const used = usedWords(state.used);
  const block = state.halt?.block ?? state.at;
  switch (state.status) {
    case 'completed':
      return [`${green('✓')} ${bold('completed')} in ${used}`];
    case 'halted':
      return [
        `${yellow('⏸')} ${bold('halted')}${block ? ` at ${oneLine(block)}` : ''} after ${used}`,
        indent(plain(state.halt?.message ?? '')),
        ...(state.halt?.question?.choices ?? []).map((choice) => `    - ${plain(choice)}`),
      ];
    case 'waiting':
      return [`${yellow('⏸')} ${bold('waiting')}`, indent(plain(state.statusReason ?? ''))];
    case 'parked':
      return [
        `${yellow('⏸')} ${bold('parked')} until ${new Date(state.parkedUntil ?? 0).toLocaleString()} after ${used}`,
        indent(plain(state.statusReason ?? '')),
      ];
    case 'failed':
      return [
        `${red('✗')} ${bold('failed')} at ${oneLine(state.error?.block ?? state.at ?? '')} after ${used}`,
      ];
    default:
      return [`${bold(state.status)} after ${used}`];
  }
}

function usedWords(used: Used): string {
  const parts = [count(used.steps, 'step'), duration(used.ms)];
  if (used.tokens > 0) parts.push(count(used.tokens, 'token'));
  if (used.usd > 0) parts.push(`${used.usd.toFixed(2)} USD`);
  return parts.join(', ');
}

function resultJson(snapshot: Snapshot, exitCode: number, advice: readonly Advice[], error: unknown): object {
  const { state } = snapshot;
  return {
    type: 'result',
    session: state.id,
    status: state.status,
    exitCode,
    block: state.halt?.block ?? state.at,
    halt: state.halt,
    parkedUntil: state.parkedUntil,
    ...(error === undefined ? {} : { error: { message: errorMessage(error), next: nextStep(error) } }),
    worktree: state.worktree ?? null,
    trail: state.trail.toArray(),
    used: state.used,
    next: advice.map(({ command }) => command),
  };
}
