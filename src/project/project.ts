import { SessionManager } from '../orchestrator/state/session-manager.ts';
import { checkArguments, maybe, text } from './arguments/shape.ts';
import { takes } from './arguments/table.ts';
import type { OpenProject, ProjectSessions } from './open.ts';
import { findPlace, type Place } from './place.ts';
import { checkStateFolder } from './state-folder.ts';
import { storageProblem } from './storage-problem.ts';
import { needsTrust } from './trust/needs.ts';
import { looks, useCases } from './use-cases.ts';

const requireTrust = async (place: Place): Promise<string> =>
  (await import('./trust/require.ts')).requireTrust(place);

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
  /** What steered the project when it was opened. */
  let openedAs: string | undefined;
  const open = async () => (await import('./open.ts')).openWith(looked);
  const opened = (digest = openedAs) => {
    // Settings that were read before they were trusted may not be the ones that are trusted now.
    if (opening === undefined || digest !== openedAs) opening = open();
    openedAs = digest;
    return opening;
  };
  return {
    ...place,
    ...bind(looks, project, async () => looked),
    ...bind(useCases, project, opened),
  } as Project;
}

/**
 * Loads a use case when it is called with what it takes, and gives it the project first. The one place that asks for
 * trust, whatever face the call comes from.
 */
function bind<Opened>(
  table: { readonly [name in keyof typeof takes]?: () => Promise<unknown> },
  place: Place,
  open: (digest?: string) => Promise<Opened>,
): object {
  const bound = Object.entries(table).map(([name, load]) => [
    name,
    async (...rest: unknown[]) => {
      checkArguments(name, takes[name as keyof typeof takes], rest);
      try {
        checkStateFolder(place);
        const digest = needsTrust(name, rest) ? await requireTrust(place) : undefined;
        const [useCase, opened] = await Promise.all([load(), open(digest)]);
        return await (useCase as (opened: Opened, ...rest: unknown[]) => unknown)(opened, ...rest);
      } catch (error) {
        throw storageProblem(error) ?? error;
      }
    },
  ]);
  return Object.fromEntries(bound);
}
