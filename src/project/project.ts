import { SessionManager } from '../orchestrator/state/session-manager.ts';
import { checkArguments, maybe, text } from './arguments/shape.ts';
import { takes } from './arguments/table.ts';
import type { OpenProject, ProjectSessions } from './open.ts';
import { findPlace, type Place } from './place.ts';
import { storageProblem } from './storage-problem.ts';
import { looks, useCases } from './use-cases.ts';

type UseCases = typeof looks & typeof useCases;

/** A use case without its first parameter, which is the project. */
type Bound<Load> = Load extends () => Promise<(opened: OpenProject, ...rest: infer Rest) => infer Result>
  ? (...rest: Rest) => Promise<Awaited<Result>>
  : never;

/** A project and everything one can do with it. Nothing here prints, and nothing knows a flag. */
export type Project = Omit<Place, 'sessions'> & { readonly [Name in keyof UseCases]: Bound<UseCases[Name]> };

/**
 * Opens the project in a folder: the one that is named, else the nearest one upwards that loopwright knows, else the
 * current folder. Nothing is read or written until a use case is called.
 */
export function openProject(dir?: string): Project {
  checkArguments('openProject', [maybe('dir', text)], [dir]);
  const project = findPlace(dir);
  const { sessions: _folder, ...place } = project;
  const looked: ProjectSessions = { project, sessions: SessionManager.onDisk(project.sessions) };
  let opening: Promise<OpenProject> | undefined;
  const open = async () => (await import('./open.ts')).openWith(looked);
  const opened = () => {
    opening ??= open();
    return opening;
  };
  return { ...place, ...bind(looks, async () => looked), ...bind(useCases, opened) } as Project;
}

/** Loads a use case when it is called with what it takes, and gives it the project first. */
function bind<Opened>(
  table: { readonly [name in keyof typeof takes]?: () => Promise<unknown> },
  open: () => Promise<Opened>,
): object {
  const bound = Object.entries(table).map(([name, load]) => [
    name,
    async (...rest: unknown[]) => {
      checkArguments(name, takes[name as keyof typeof takes], rest);
      const [useCase, opened] = await Promise.all([load(), open()]);
      try {
        return await (useCase as (opened: Opened, ...rest: unknown[]) => unknown)(opened, ...rest);
      } catch (error) {
        throw storageProblem(error) ?? error;
      }
    },
  ]);
  return Object.fromEntries(bound);
}
