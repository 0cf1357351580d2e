import { WAITED_FOR } from '../../kernel/wait-cause.ts';
import { age, choiceWords, duration, indent, money, oneLine, plain } from '../../kernel/words.ts';
import type { SessionView } from '../../project/sessions/view.ts';
import { deliveryWords } from './delivery-words.ts';
import { notedLines } from './noted.ts';
import { Attempts, leadsTo, moodOf, shortSignal } from './steps.ts';
import type { Style } from './style.ts';
import { type Cell, type TableView, table } from './table.ts';
import { whyLines } from './why.ts';

/** Everything a person needs to know about a session, except what to do next. */
export function sessionLines(view: SessionView, screen: TableView, now = Date.now()): string[] {
  const { bold, dim } = screen.style;
  const field = (name: string, value: string): string => `${dim(name.padEnd(9))} ${oneLine(value)}`;
  const work = deliveryWords(view.delivery, now);
  const owner = `process ${view.owner.pid} on ${view.owner.host}`;
  return [
    bold(oneLine(view.goal)),
    field('session', view.id),
    field('status', `${view.word}, ${age(now - view.updatedAt)}`),
    ...(view.status === 'running' && view.currentBlock ? [field('at', view.currentBlock)] : []),
    field('workflow', view.workflow ?? '-'),
    ...(view.manifests ?? []).map(({ step, before, digest }) =>
      field('', `manifest ${before.slice(0, 12)} up to step ${step}, ${digest.slice(0, 12)} from there on`),
    ),
    field('files', view.worktree ?? '-'),
    ...(work === undefined ? [] : [field('work', work)]),
    ...(view.sandbox === undefined ? [] : [field('sandbox', view.sandbox)]),
    field('owner', view.ownerAlive ? `${owner}, running` : `none (last: ${owner})`),
    field('used', budgetWords(view)),
    ...(view.stepping ? [field('mode', 'stepping: halts before every block')] : []),
    ...reasonLines(view, screen.style),
    ...notedLines(view, screen.style),
    ...view.questions.flatMap((asked) => questionLines(asked, screen.style)),
    '',
    ...trailLines(view.trail, screen),
  ];
}

function reasonLines(
  { halt, error, parkedUntil, parkedCause, reason, currentBlock: at, why }: SessionView,
  style: Style,
): string[] {
  const { yellow, red } = style;
  if (halt) {
    const choices = (halt.question?.choices ?? []).map((choice) => `  - ${plain(choice)}`);
    return [
      '',
      yellow(oneLine(`halted (${halt.reason}) ${halt.block ?? at ?? ''}`)),
      indent(plain(halt.message)),
      ...choices,
      ...whyLines(why === undefined ? {} : { why }, style),
    ];
  }
  if (error) return ['', red(oneLine(`failed at ${error.block ?? at ?? ''}`)), indent(plain(error.message))];
  if (parkedUntil !== null) {
    return [
      '',
      yellow(`parked until ${new Date(parkedUntil).toLocaleString()}${causeWords(parkedCause)}`),
      indent(plain(reason ?? '')),
    ];
  }
  return [];
}

function causeWords(cause: SessionView['parkedCause']): string {
  return cause === null || cause === undefined ? '' : `, for ${WAITED_FOR[cause]}`;
}

function questionLines(
  { task, question, choices }: SessionView['questions'][number],
  { yellow }: Style,
): string[] {
  return ['', yellow(`${oneLine(task)} asks`), `  ${oneLine(question)}${choiceWords(choices)}`];
}

function trailLines(trail: SessionView['trail'], view: TableView): string[] {
  const { style } = view;
  if (trail.length === 0) return [style.dim('No block has run yet.')];
  const attempts = new Attempts();
  const rows = trail.map((entry): (Cell | string)[] => {
    const attempt = attempts.next(entry.block);
    if (entry.ran) attempts.finished(entry.block);
    const mood = moodOf(entry.signal);
    const paint = mood === 'good' ? style.green : mood === 'bad' ? style.red : style.yellow;
    return [
      entry.ran ? String(entry.step) : '-',
      oneLine(entry.block),
      entry.ran ? String(attempt) : '-',
      { text: shortSignal(entry.signal), paint },
      entry.ran ? duration(entry.ms) : 'not run',
      leadsTo(entry),
    ];
  });
  return table(['step', 'block', 'attempt', 'signal', 'time', 'then'], rows, view);
}

const MINUTE = 60_000;

/** `7 of 50 steps, 0.12 of 2 USD`: only what is limited or was spent. */
export function budgetWords({ used, budget }: Pick<SessionView, 'used' | 'budget'>): string {
  const parts = [of(String(used.steps), budget.steps, 'steps')];
  if (used.tokens > 0 || budget.tokens !== undefined)
    parts.push(of(String(used.tokens), budget.tokens, 'tokens'));
  if (used.usd > 0 || budget.usd !== undefined) parts.push(of(money(used.usd), budget.usd, 'USD'));
  if (budget.minutes === undefined) parts.push(`${duration(used.ms)} at work`);
  else parts.push(of((used.ms / MINUTE).toFixed(1), budget.minutes, 'minutes'));
  return parts.join(', ');
}

function of(spent: string, limit: number | undefined, unit: string): string {
  return limit === undefined ? `${spent} ${unit}` : `${spent} of ${limit} ${unit}`;
}
