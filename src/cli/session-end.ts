import type { Action } from '../kernel/action.ts';
import { errorMessage } from '../kernel/errors.ts';
import { count, duration, indent, money, oneLine, plain } from '../kernel/words.ts';
import type { Project } from '../project/project.ts';
import type { RunningSession, SessionResult } from '../project/runs/handle.ts';
import type { SessionView } from '../project/sessions/view.ts';
import { wordsOf } from './action-line.ts';
import { actionJson, type Cli, commandFor } from './cli.ts';
import { notedLines } from './display/noted.ts';
import type { Style } from './display/style.ts';
import { whyLines } from './display/why.ts';
import { nextStep, problemJson } from './errors.ts';
import type { Followed } from './follow-run.ts';
import type { Screen } from './output.ts';

const EXIT: Readonly<Record<SessionView['status'], number>> = {
  completed: 0,
  halted: 2,
  parked: 2,
  waiting: 2,
  held: 2,
  running: 2,
  failed: 1,
  aborted: 1,
};

/** Says how the run ended and what to do next; gives the exit code. */
export async function closing(
  cli: Cli,
  { project, json, completed, guidance }: Followed,
  result: SessionResult,
  stopped: number | undefined,
): Promise<number> {
  const { screen } = cli;
  const exitCode = stopped ?? EXIT[result.status];
  const actions = withHint(result.actions, guidance);
  sayAfterFailure(screen, project, actions);
  if (json) {
    cli.json(resultJson(project, { ...result, actions }, exitCode));
    return exitCode;
  }
  screen.line();
  for (const line of [...endLines(result, screen.style), ...notedLines(result, screen.style)])
    screen.line(line);
  if (result.failure) {
    screen.error(`${screen.errorStyle.red('error:')} ${plain(errorMessage(result.failure))}`);
    screen.error(`${screen.errorStyle.cyan('next:')} ${plain(nextStep(result.failure))}`);
  }
  if (result.status === 'completed') await completed?.();
  printActions(screen, project, actions);
  for (const note of result.after) screen.line(screen.style.dim(note));
  return exitCode;
}

/** The last word of a process that a second signal ends at once: its step is killed, its session is not lost. */
export function sayEndedAtOnce(
  cli: Cli,
  { project, json, guidance }: Followed,
  run: RunningSession,
  exitCode: number,
): void {
  const view = run.leftBehind();
  if (!view) return;
  const { screen } = cli;
  const actions = withHint(view.actions, guidance);
  if (json) return cli.json(resultJson(project, { ...view, actions }, exitCode));
  screen.line();
  screen.line(
    `${screen.style.yellow('⏸')} ${screen.style.bold('ended at once')}; the running block was killed`,
  );
  return printActions(screen, project, actions);
}

/** The hint that would help here, in place of the words that stand for one. */
function withHint(actions: readonly Action[], guidance: string | undefined): Action[] {
  if (guidance === undefined) return [...actions];
  return actions.map((each) =>
    each.needs?.includes('guidance') ? { ...each, with: { ...each.with, guidance } } : each,
  );
}

/** Where the output is lost, the way on must still be said. */
function sayAfterFailure(screen: Screen, project: Project, [first]: readonly Action[]): void {
  if (screen.failure === undefined || !first) return;
  const words = wordsOf(first) ?? [];
  screen.error(
    `${screen.errorStyle.cyan('next:')} ${first.why ?? first.label}\n  ${commandFor(project, ...words)}`,
  );
}

/** Each command stands alone on its line, so that it can be copied as it is. */
export function printActions(screen: Screen, project: Project, actions: readonly Action[]): void {
  const { cyan } = screen.style;
  for (const [index, each] of actions.entries()) {
    screen.line(`${cyan(index === 0 ? 'next:' : 'or:  ')} ${oneLine(each.why ?? each.label)}`);
    const words = wordsOf(each);
    if (words !== undefined) screen.line(`  ${plain(commandFor(project, ...words))}`);
  }
}

/** How a session stands, in one line, and its reason below. */
function endLines(view: SessionView, style: Style): string[] {
  const { bold, green, yellow, red } = style;
  const used = usedWords(view.used);
  const block = view.halt?.block ?? view.currentBlock;
  switch (view.status) {
    case 'completed':
      return view.outcome === 'no_change'
        ? [
            `${yellow('○')} ${bold('nothing was changed')} in ${used}; no check says whether anything had to be`,
          ]
        : [`${green('✓')} ${bold('completed')} in ${used}`];
    case 'halted':
      if (view.halt?.reason === 'no_change')
        return [`${yellow('⏸')} ${bold('nothing was changed')} in ${used}`, indent(plain(view.halt.message))];
      return [
        `${yellow('⏸')} ${bold(view.halt?.reason === 'question' ? 'halted (question)' : 'halted')}${block ? ` at ${oneLine(block)}` : ''} after ${used}`,
        indent(plain(view.halt?.message ?? '')),
        ...(view.halt?.question?.choices ?? []).map((choice) => `    - ${plain(choice)}`),
        ...whyLines(view, style),
      ];
    case 'waiting':
      return [`${yellow('⏸')} ${bold('waiting')}`, indent(plain(view.reason ?? ''))];
    case 'parked':
      return [
        `${yellow('⏸')} ${bold('parked')} until ${new Date(view.parkedUntil ?? 0).toLocaleString()} after ${used}`,
        indent(plain(view.reason ?? '')),
      ];
    case 'failed':
      return [
        `${red('✗')} ${bold('failed')} at ${oneLine(view.error?.block ?? view.currentBlock ?? '')} after ${used}`,
      ];
    default:
      return [`${bold(view.status)} after ${used}`];
  }
}

function usedWords(used: SessionView['used']): string {
  const parts = [count(used.steps, 'step'), duration(used.ms)];
  if (used.tokens > 0) parts.push(count(used.tokens, 'token'));
  if (used.usd > 0) parts.push(`${money(used.usd)} USD`);
  return parts.join(', ');
}

function resultJson(
  project: Project,
  view: SessionView & { readonly failure?: Error },
  exitCode: number,
): object {
  return {
    type: 'result',
    session: view.id,
    status: view.status,
    exitCode,
    block: view.halt?.block ?? view.currentBlock,
    outcome: view.outcome ?? null,
    halt: view.halt,
    ...(view.why === undefined ? {} : { why: view.why }),
    ...(view.suspicious === undefined ? {} : { suspicious: view.suspicious }),
    parkedUntil: view.parkedUntil,
    ...(view.failure === undefined ? {} : { error: problemJson(view.failure) }),
    worktree: view.worktree ?? null,
    trail: view.trail,
    used: view.used,
    next: view.actions.map((each) => actionJson(project, each)),
  };
}
