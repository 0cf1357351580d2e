import type { ArgvOf, DetachedCommand } from '../api/routes/detached.ts';
import { ConflictError } from '../kernel/errors.ts';
import type { Project } from '../project/project.ts';

type Detached = Awaited<ReturnType<Project['startDetached']>>;
export type Start = (command: DetachedCommand) => Promise<Detached>;

export function starter(project: Project, argvOf: ArgvOf | undefined): Start {
  return (command) => {
    if (!argvOf) throw new ConflictError('This server was started by a program that cannot start sessions.');
    const until =
      command.do === 'work'
        ? 'runtime'
        : command.do === 'research' || command.do === 'experiment'
          ? 'line'
          : 'session';
    return project.startDetached({ argv: [...argvOf(command)], until, name: command.do });
  };
}
