import { UsageError } from '../kernel/errors.ts';
import { checkRelativePath } from '../kernel/path-rules.ts';
import { REPOSITORY_MODES, ROLES } from '../kernel/runtime-words.ts';
import { didYouMean, suggest } from '../kernel/suggest.ts';
import { isModelName } from '../manifest/model-name.ts';
import { patternProblem } from './pattern.ts';
import type { TaskDraft } from './task.ts';
import { KINDS } from './words.ts';

const LONGEST_TITLE = 500;
const LONGEST_PRIORITY = 1_000_000;
const BUDGET_PARTS = ['steps', 'tokens', 'usd', 'minutes'];

/** Everything that is wrong with a draft, in one error. */
export function checkDraft(draft: TaskDraft): void {
  const problems = problemsOf(draft);
  if (problems.length === 0) return;
  const hasTitle = typeof draft.title === 'string' && draft.title.trim() !== '';
  throw new UsageError(`${hasTitle ? `Task "${draft.title}"` : 'A task'}: ${problems.join('; ')}.`, {
    next: 'Correct it and run the command again. Nothing was changed.',
  });
}

/** An agent that nobody knows would fail the task much later, when it is claimed. */
export function refuseUnknownAgents(
  named: readonly string[] = [],
  knownAgents: (() => readonly string[]) | undefined,
): void {
  if (named.length === 0 || !knownAgents) return;
  const known = knownAgents();
  const unknown = named.find((agent) => !known.includes(agent) && !isModelName(agent));
  if (unknown === undefined) return;
  throw new UsageError(`There is no agent "${unknown}".${didYouMean(unknown, known)}`, {
    next: `Use one of ${known.join(', ')}, or describe it in .loopwright/adapters/${unknown}.json. Nothing was changed.`,
  });
}

export function problemsOf(draft: TaskDraft): string[] {
  return [
    ...titleProblems(draft.title),
    ...wordProblems('kind', draft.kind, KINDS),
    ...wordProblems('role', draft.role, ROLES),
    ...wordProblems('mode', draft.mode, REPOSITORY_MODES),
    ...listProblems('allowed path', draft.allowedPaths, patternProblem),
    ...listProblems('denied path', draft.deniedPaths, deniedProblem),
    ...listProblems('expected file', draft.expectedFiles, (path) =>
      checkRelativePath(path.replace(/\/$/, '')),
    ),
    ...listProblems('command', draft.commands, emptyProblem),
    ...listProblems('dependency', draft.dependencies, emptyProblem),
    ...listProblems('agent', draft.agents, (name) =>
      /^[\w.-]+$/.test(name) ? undefined : 'is not the name of an agent',
    ),
    ...numberProblems(draft),
    ...budgetProblems(draft.budget),
  ];
}

function titleProblems(title: unknown): string[] {
  if (typeof title !== 'string' || title.trim() === '') return ['it has no title'];
  if (/\p{Cc}/u.test(title)) return ['its title has a control character or a second line'];
  return title.length > LONGEST_TITLE ? [`its title is longer than ${LONGEST_TITLE} characters`] : [];
}

function wordProblems(what: string, word: unknown, known: readonly string[]): string[] {
  if (word === undefined || (typeof word === 'string' && known.includes(word))) return [];
  const written = typeof word === 'string' ? word : JSON.stringify(word);
  return [`${what} "${written}" is not one of ${known.join(', ')}${meant(written, known)}`];
}

function meant(written: string, known: readonly string[]): string {
  const name = suggest(written, known);
  return name === undefined ? '' : ` (did you mean "${name}"?)`;
}

function listProblems(what: string, list: unknown, problem: (entry: string) => string | undefined): string[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return [`${what}s must be a list`];
  return list.flatMap((entry) => {
    if (typeof entry !== 'string') return [`a ${what} is not a text`];
    const reason = problem(entry);
    return reason === undefined ? [] : [`${what} "${entry}" ${reason}`];
  });
}

/** What is denied may be anything of the project, `.git` too. */
export function deniedProblem(path: string): string | undefined {
  if (path.trim() === '') return 'is empty';
  if (path.startsWith('/')) return 'is absolute';
  return path.split('/').includes('..') ? 'leads upwards with ".."' : undefined;
}

function emptyProblem(text: string): string | undefined {
  return text.trim() === '' ? 'is empty' : undefined;
}

function numberProblems({ priority, timeboxMinutes }: TaskDraft): string[] {
  const problems: string[] = [];
  if (priority !== undefined && !(Number.isInteger(priority) && Math.abs(priority) <= LONGEST_PRIORITY))
    problems.push('its priority is not a whole number (lower goes first, 100 is the default)');
  if (timeboxMinutes !== undefined && !(Number.isFinite(timeboxMinutes) && timeboxMinutes > 0))
    problems.push('its timebox is not a positive number of minutes');
  return problems;
}

function budgetProblems(budget: unknown): string[] {
  if (budget === undefined) return [];
  if (typeof budget !== 'object' || budget === null) return ['its budget is not an object'];
  return Object.entries(budget).flatMap(([part, amount]) => {
    if (!BUDGET_PARTS.includes(part))
      return [`"${part}" is not a part of a budget (${BUDGET_PARTS.join(', ')})`];
    return typeof amount === 'number' && amount >= 0 ? [] : [`its budget of ${part} is not a number`];
  });
}
