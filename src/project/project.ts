import { type OpenProject, openAt } from './open.ts';
import type { Place } from './place.ts';
import { useCases } from './use-cases.ts';

type UseCases = typeof useCases;

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
  const opened = openAt(dir);
  const bound = Object.entries(useCases).map(([name, load]) => [
    name,
    async (...rest: unknown[]) => {
      const useCase = (await load()) as (opened: OpenProject, ...rest: unknown[]) => unknown;
      return useCase(opened, ...rest);
    },
  ]);
  const { sessions: _folder, ...place } = opened.project;
  return { ...place, ...Object.fromEntries(bound) } as Project;
}
