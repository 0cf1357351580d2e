/**
 * Something a person can do next, as data: a terminal shows it as a command line, a page as a button. Nothing below
 * the faces knows how it is typed or clicked.
 */
export interface Action {
  readonly id: ActionId;
  /** What it does, as an imperative: "Resume the session". */
  readonly label: string;
  /** When to choose it. */
  readonly why?: string;
  /** It loses work or cannot be undone: ask before. */
  readonly danger?: true;
  /** What the person still has to give. */
  readonly needs?: readonly Need[];
  /** What it acts on and with, by name. */
  readonly with?: ActionInput;
}

export const NEEDS = ['guidance', 'answer', 'budget', 'name', 'notes', 'reason', 'allow'] as const;
export type Need = (typeof NEEDS)[number];

export type ActionInput = {
  readonly [name: string]: string | number | boolean | readonly string[] | undefined;
};

/** `advise` is the one that only a person can carry out: its label says all there is. */
export const ACTION_IDS = [
  'advise',
  'agents.doctor',
  'agents.list',
  'board.show',
  'budget.raise',
  'budget.show',
  'command.help',
  'conflicts.show',
  'config.show',
  'project.init',
  'project.trust',
  'research.continue',
  'run.input',
  'run.start',
  'session.abort',
  'session.accept',
  'session.answer',
  'session.attach',
  'session.clean',
  'session.diff',
  'session.discard',
  'session.fork',
  'session.hold',
  'session.keep',
  'session.list',
  'session.logs',
  'session.resume',
  'session.retry',
  'session.rewind',
  'session.show',
  'session.step',
  'session.stop',
  'session.timeline',
  'session.undo',
  'session.unhold',
  'session.wait',
  'task.add',
  'task.approve',
  'task.cancel',
  'task.edit',
  'task.list',
  'task.requeue',
  'task.restore',
  'task.rework',
  'task.show',
  'work.start',
  'workflow.validate',
  'worktree.gc',
  'worktree.list',
] as const;
export type ActionId = (typeof ACTION_IDS)[number];

export function action(id: ActionId, label: string, input?: ActionInput): Action {
  return input === undefined ? { id, label } : { id, label, with: input };
}

/** Advice that no face can carry out for the person. */
export function advise(label: string): Action {
  return { id: 'advise', label };
}
