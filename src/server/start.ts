import type { Continuing, NewRun } from '../api/routes/acts.ts';
import { ConflictError } from '../kernel/errors.ts';
import type { Project } from '../project/project.ts';

/** Something that runs in a process of its own; the face that started the server knows how it is typed. */
export type DetachedCommand =
  | { readonly do: 'run'; readonly run: NewRun }
  | { readonly do: 'resume' | 'retry' | 'step'; readonly session: string; readonly with: Continuing }
  | { readonly do: 'work'; readonly role?: string; readonly concurrency?: number; readonly once?: boolean }
  | { readonly do: 'research'; readonly question: string; readonly profile?: string }
  | { readonly do: 'research'; readonly continue: string };

/** The program with all its words. */
export type ArgvOf = (command: DetachedCommand) => readonly string[];

type Detached = Awaited<ReturnType<Project['startDetached']>>;
export type Start = (command: DetachedCommand) => Promise<Detached>;

export function starter(project: Project, argvOf: ArgvOf | undefined): Start {
  return (command) => {
    if (!argvOf) throw new ConflictError('This server was started by a program that cannot start sessions.');
    const until = command.do === 'work' ? 'runtime' : command.do === 'research' ? 'line' : 'session';
    return project.startDetached({ argv: [...argvOf(command)], until, name: command.do });
  };
}
