import type { Action, ActionId, ActionInput } from '../kernel/action.ts';
import { STAND_INS } from './stand-ins.ts';

type Words = (input: ActionInput) => readonly string[];

/** How each action is typed. One without an entry here can only be described. */
const WORDS: { readonly [id in ActionId]?: Words } = {
  'agents.doctor': () => ['doctor'],
  'agents.list': () => ['agents'],
  'board.show': () => ['board'],
  'budget.raise': (input) => [
    'budget',
    '--today',
    Object.entries(input)
      .map(([unit, more]) => `${unit}=${String(more)}`)
      .join(','),
  ],
  'budget.show': () => ['budget'],
  'command.help': ({ command }) => [...(command === undefined ? [] : String(command).split(' ')), '--help'],
  'conflicts.show': () => ['conflicts'],
  'config.show': () => ['config', '--all'],
  'project.init': (input) => ['init', ...on(input, 'force')],
  'project.trust': () => ['trust'],
  'research.continue': (input) => ['research', '--continue', text(input, 'research', '<job>')],
  'run.input': (input) => ['run', '<goal>', '--input', `${text(input, 'input', '<name>')}=<value>`],
  'run.start': (input) => [
    'run',
    text(input, 'goal', '<goal>'),
    ...flag(input, 'workflow'),
    ...flag(input, 'agent'),
  ],
  'session.abort': ofSession('abort'),
  'session.accept': (input) => [
    'accept',
    text(input, 'session'),
    ...flag(input, 'into'),
    ...on(input, 'pr'),
    ...on(input, 'unproven'),
    ...flag(input, 'suspicious'),
    ...flag(input, 'acceptSecrets', 'accept-secrets'),
  ],
  'session.answer': (input) =>
    'stageTask' in input
      ? ['answer', text(input, 'session'), text(input, 'answer'), '--task', text(input, 'stageTask')]
      : ['resume', text(input, 'session'), '--answer', text(input, 'answer')],
  'session.attach': (input) => ['attach', text(input, 'session'), ...flag(input, 'stageTask', 'task')],
  'session.clean': (input) => ['clean', text(input, 'session'), ...on(input, 'force')],
  'session.diff': ofSession('diff'),
  'session.discard': ofSession('discard'),
  'session.fork': (input) => ['fork', text(input, 'session'), '--at', text(input, 'step', '<step>')],
  'session.hold': ofSession('hold'),
  'session.keep': (input) => [
    'keep',
    text(input, 'session'),
    ...flag(input, 'acceptSecrets', 'accept-secrets'),
  ],
  'session.list': (input) => ['sessions', ...(input['all'] === true ? ['--all'] : [])],
  'session.logs': (input) => ['logs', text(input, 'session'), ...(input['follow'] === true ? ['-f'] : [])],
  'session.resume': (input) => [
    'resume',
    text(input, 'session'),
    ...flag(input, 'budget'),
    ...flag(input, 'guidance'),
    ...each(input, 'allow'),
    ...(input['takeOver'] === true ? ['--take-over'] : []),
  ],
  'session.retry': (input) => [
    'retry',
    text(input, 'session'),
    ...flag(input, 'guidance'),
    ...flag(input, 'manifest'),
  ],
  'session.rewind': (input) => ['rewind', text(input, 'session'), '--to', text(input, 'step', '<step>')],
  'session.show': (input) => ['show', text(input, 'session'), ...flag(input, 'step')],
  'session.step': ofSession('step'),
  'session.stop': (input) => ['stop', text(input, 'session'), ...flag(input, 'stageTask', 'task')],
  'session.timeline': ofSession('timeline'),
  'session.undo': ofSession('undo'),
  'session.unhold': ofSession('unhold'),
  'task.add': (input) => ['task', 'add', text(input, 'title', '<title>')],
  'task.approve': (input) => [
    'judge',
    text(input, 'task'),
    'approve',
    ...on(input, 'merge'),
    ...on(input, 'unproven'),
    ...flag(input, 'suspicious'),
  ],
  'task.cancel': (input) => ['task', 'cancel', text(input, 'task')],
  'task.edit': (input) => [
    'task',
    'edit',
    text(input, 'task'),
    ...flag(input, 'notes'),
    ...flag(input, 'budget'),
    ...flag(input, 'allow'),
    ...flag(input, 'acceptSecrets', 'accept-secrets'),
  ],
  'task.list': (input) => ['task', 'list', ...on(input, 'all')],
  'task.requeue': (input) => ['task', 'requeue', text(input, 'task'), ...flag(input, 'notes')],
  'task.restore': (input) => ['restore', text(input, 'task')],
  'task.rework': (input) => ['judge', text(input, 'task'), 'rework', text(input, 'notes')],
  'task.show': (input) => ['show', text(input, 'task')],
  'work.start': () => ['work'],
  'workflow.validate': (input) => ['validate', text(input, 'workflow', '<workflow>')],
  'worktree.gc': (input) => [
    'worktrees',
    'gc',
    ...(input['dryRun'] === true ? ['--dry-run'] : []),
    ...on(input, 'force'),
  ],
  'worktree.list': () => ['worktrees'],
};

/** The words after `loopwright` that carry the action out; none for advice. */
export function wordsOf({ id, needs = [], with: input = {} }: Action): readonly string[] | undefined {
  const missing = Object.fromEntries(needs.map((need) => [need, STAND_INS[need]]));
  return WORDS[id]?.({ ...missing, ...input });
}

/** A sentence with, where there is one, the command line that `command` makes of the action. */
export function actionLine(action: Action, command: (...words: string[]) => string): string {
  const words = wordsOf(action);
  if (words === undefined) return action.label;
  const line = command(...words);
  return action.label === '' ? line : `${action.label.replace(/[.:]$/, '')}: ${line}`;
}

function ofSession(command: string): Words {
  return (input) => [command, text(input, 'session')];
}

function text(input: ActionInput, name: string, absent?: string): string {
  const value = input[name] ?? absent ?? `<${name}>`;
  return String(value);
}

/** `--name value`, when it is known. */
function flag(input: ActionInput, name: string, written: string = name): string[] {
  const value = input[name];
  return value === undefined ? [] : [`--${written}`, String(value)];
}

/** `--name value` for each. */
function each(input: ActionInput, name: string): string[] {
  const value = input[name];
  const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.flatMap((one) => [`--${name}`, String(one)]);
}

/** `--name`, when it is wanted. */
function on(input: ActionInput, name: string): string[] {
  return input[name] === true ? [`--${name}`] : [];
}
