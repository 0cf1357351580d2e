import { action } from '../kernel/action.ts';
import { NotFoundError, UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-ids.ts';
import { clip, count, oneLine } from '../kernel/words.ts';
import type { Project } from '../project/project.ts';
import { askQuestion } from './ask.ts';
import type { Cli, ProjectOptions } from './cli.ts';

type Purpose = Parameters<Project['candidates']>[0];
type Candidate = Awaited<ReturnType<Project['candidates']>>[number];

const LISTED = 10;
const TITLE = 50;

/** What a command does with what it is about. */
const DONE_WITH: { readonly [purpose in Exclude<Purpose, 'look' | 'lookAtTask'>]: string } = {
  resume: 'can be continued',
  step: 'can be continued',
  retry: 'halted or failed',
  abort: 'can be ended',
  interrupt: 'runs now',
  reach: 'runs now',
  answer: 'waits for an answer',
  accept: 'waits to be accepted',
  keep: 'has work that could be kept',
  discard: 'has work that could be discarded',
  undo: 'was accepted',
  fork: 'has a step to fork from',
  rewind: 'has a step to go back to',
  hold: 'can be put aside',
  judge: 'waits for a verdict',
  editTask: 'can be changed',
  cancelTask: 'is open',
  requeueTask: 'can be put back in line',
  removeTask: 'can be deleted',
  restore: 'changed files that could be put back',
};

const ABOUT_TASKS: ReadonlySet<Purpose> = new Set([
  'judge',
  'editTask',
  'cancelTask',
  'requeueTask',
  'removeTask',
  'restore',
]);

/** What is looked at: what was named, else the newest one, which is said. */
export async function toLookAt(
  { screen }: Cli,
  project: Project,
  written: string | undefined,
  { json }: ProjectOptions,
  purpose: 'look' | 'lookAtTask' = 'look',
): Promise<string | undefined> {
  if (written !== undefined) return written;
  const [newest, ...older] = await project.candidates(purpose);
  if (newest === undefined) return undefined;
  if (!json) {
    const which = older.length === 0 ? 'the only one' : `the newest of ${older.length + 1}`;
    screen.error(screen.errorStyle.dim(`${wordsFor(newest)} (${which})`));
  }
  return newest.id;
}

/** What is changed: what was named, else the only one for which it makes sense; a person chooses among several. */
export async function toChange(
  { screen }: Cli,
  project: Project,
  written: string | undefined,
  { json }: ProjectOptions,
  purpose: keyof typeof DONE_WITH,
): Promise<string> {
  if (written !== undefined) return written;
  const fitting = await project.candidates(purpose);
  const [only, ...more] = fitting;
  const isTask = ABOUT_TASKS.has(purpose);
  if (only === undefined)
    throw new NotFoundError(`There is no ${isTask ? 'task' : 'session'} that ${DONE_WITH[purpose]}.`, {
      next: isTask
        ? action('task.list', 'Name one; list them', { all: true })
        : action('session.list', 'Name one; list them'),
    });
  if (more.length === 0) {
    if (!json)
      screen.error(screen.errorStyle.dim(`${wordsFor(only)} (the only one that ${DONE_WITH[purpose]})`));
    return only.id;
  }
  if (screen.interactive && !json) return asked(screen, fitting, purpose);
  throw new UsageError(`Which one? ${countWords(fitting, purpose)}:\n${listed(fitting)}`, {
    next: 'Give its id.',
  });
}

async function asked(
  screen: Cli['screen'],
  fitting: readonly Candidate[],
  purpose: keyof typeof DONE_WITH,
): Promise<string> {
  const shown = fitting.slice(0, LISTED);
  const choices = shown.map((each) => lineFor(each, fitting));
  const answer = await askQuestion(
    screen,
    { question: `Which one? ${countWords(fitting, purpose)}`, choices },
    new AbortController().signal,
  );
  const picked = answer === undefined ? undefined : shown[choices.indexOf(answer)];
  if (picked) return picked.id;
  throw new UsageError('None was chosen.', { next: 'Give its id.' });
}

function countWords(fitting: readonly Candidate[], purpose: keyof typeof DONE_WITH): string {
  const kinds = new Set(fitting.map(({ kind }) => kind));
  const [kind = 'session'] = kinds;
  return `Of these ${count(fitting.length, kinds.size > 1 ? 'session or task' : kind)} each ${DONE_WITH[purpose]}`;
}

function listed(fitting: readonly Candidate[]): string {
  const more = fitting.length - LISTED;
  return [
    ...fitting.slice(0, LISTED).map((each) => `  ${lineFor(each, fitting)}`),
    ...(more > 0 ? [`  and ${more} older`] : []),
  ].join('\n');
}

function lineFor({ id, kind, word, title }: Candidate, among: readonly Candidate[]): string {
  const name = shortId(
    id,
    among.map((each) => each.id),
  );
  return `${name}  ${kind === 'task' ? `task, ${word}` : word}  ${clip(oneLine(title), TITLE)}`;
}

function wordsFor({ id, kind, word, title }: Candidate): string {
  return `${kind} ${shortId(id)}, ${word}: ${clip(oneLine(title), TITLE)}`;
}
