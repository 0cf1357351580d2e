import type { Continuing, NewRun } from '../api/routes/acts.ts';
import type { DetachedCommand } from '../api/routes/detached.ts';

/** How a dashboard types what it starts. What a person wrote stands behind `=` or `--`: none of it becomes an option. */
export function detachedWords(command: DetachedCommand, dir: string): string[] {
  const common = ['--json', `--dir=${dir}`];
  switch (command.do) {
    case 'run': {
      const { pipeline, goal } = command.run;
      const words = [...common, '--attended', ...runWords(command.run)];
      return pipeline === undefined
        ? ['run', ...words, '--', goal]
        : ['pipeline', ...words, '--', pipeline, goal];
    }
    case 'resume':
    case 'retry':
    case 'step':
      return [command.do, ...common, '--attended', ...continueWords(command.with), '--', command.session];
    case 'work':
      return [
        'work',
        ...common,
        ...value('role', command.role),
        ...value('concurrency', command.concurrency),
        ...flag('once', command.once),
      ];
    case 'experiment':
      return ['run-experiment', ...common, '--', command.experiment];
    case 'research':
      return 'continue' in command
        ? ['research', ...common, ...value('continue', command.continue)]
        : ['research', ...common, ...value('profile', command.profile), '--', command.question];
  }
}

function runWords(run: NewRun): string[] {
  return [
    ...value('workflow', run.workflow),
    ...value('start', run.start),
    ...value('agent', run.agent),
    ...flag('step', run.stepping),
    ...each(
      'input',
      Object.entries(run.inputs ?? {}).map(([name, said]) => `${name}=${said}`),
    ),
    ...budgetWords(run.budget),
    ...flag('in-place', run.inPlace),
    ...flag('include-dirty', run.includeDirty),
    ...value('base', run.base),
    ...each('plan', run.plan),
    ...value('priority', run.priority),
    ...each('allow', run.allow),
    ...each('deny', run.deny),
    ...value('tests', run.tests),
    ...flag('no-baseline', run.noBaseline),
  ];
}

function continueWords({ guidance, answer, budget, takeOver, allow, manifest }: Continuing): string[] {
  return [
    ...value('guidance', guidance),
    ...value('answer', answer),
    ...budgetWords(budget),
    ...flag('take-over', takeOver),
    ...each('allow', allow),
    ...value('manifest', manifest),
  ];
}

function budgetWords(budget: NewRun['budget']): string[] {
  const parts = Object.entries(budget ?? {}).filter(([, most]) => most !== undefined);
  return parts.length === 0 ? [] : [`--budget=${parts.map(([unit, most]) => `${unit}=${most}`).join(',')}`];
}

function value(name: string, said: string | number | undefined): string[] {
  return said === undefined ? [] : [`--${name}=${said}`];
}

function flag(name: string, wanted: boolean | undefined): string[] {
  return wanted === true ? [`--${name}`] : [];
}

function each(name: string, values: readonly string[] = []): string[] {
  return values.map((one) => `--${name}=${one}`);
}
