import { withToolsFirst } from '../../process/child-env.ts';
import { type ChildKind, environmentFor } from '../../process/environment.ts';
import { findProgram } from '../../process/find-program.ts';
import { readSetupCommands } from '../../verification/command-line.ts';
import type { OpenProject } from '../open.ts';

/** A program that the configuration or a manifest starts. */
export interface NamedProgram {
  /** Where it is named, such as `workers.Coder.command`. */
  readonly setting: string;
  readonly program: string;
  /** Whose environment it gets: that decides where it is looked for. */
  readonly kind: Extract<ChildKind, 'program' | 'setup'>;
}

/** Whether a program is where the one who starts it looks. */
export async function isThere({ project, config }: OpenProject, named: NamedProgram): Promise<boolean> {
  const { program, kind } = named;
  const env = withToolsFirst(environmentFor(kind, config.childEnv, config.environment[kind]), project.dir);
  return findProgram(program, project.dir, env).then(
    () => true,
    () => false,
  );
}

/** Every program that the configuration names beside its checks, which have their own words. */
export function configuredPrograms({ config }: OpenProject): NamedProgram[] {
  const { setup, teardown } = config.worktrees;
  const workers = Object.entries(config.workers).flatMap(([name, { command }]) =>
    command
      ? [{ setting: `workers.${name}.command`, program: command[0] ?? '', kind: 'program' as const }]
      : [],
  );
  const notify = config.notify.command
    ? [{ setting: 'notify.command', program: config.notify.command[0] ?? '', kind: 'program' as const }]
    : [];
  return [
    ...workers,
    ...firstWords(setup, 'worktrees.setup'),
    ...firstWords(teardown, 'worktrees.teardown'),
    ...notify,
  ];
}

function firstWords(lines: readonly (string | readonly string[])[], setting: string): NamedProgram[] {
  const read = readSetupCommands(lines, setting);
  if (!read.ok) return [];
  return read.commands.map(({ argv }, index) => ({
    setting: `${setting}[${index}]`,
    program: argv[0] ?? '',
    kind: 'setup',
  }));
}
