import type { Continuing, NewRun } from './acts.ts';

/** Something that runs in a process of its own; the face that started the server knows how it is typed. */
export type DetachedCommand =
  | { readonly do: 'run'; readonly run: NewRun }
  | { readonly do: 'resume' | 'retry' | 'step'; readonly session: string; readonly with: Continuing }
  | { readonly do: 'work'; readonly role?: string; readonly concurrency?: number; readonly once?: boolean }
  | { readonly do: 'research'; readonly question: string; readonly profile?: string }
  | { readonly do: 'research'; readonly continue: string }
  | { readonly do: 'experiment'; readonly experiment: string };

/** The program with all its words. */
export type ArgvOf = (command: DetachedCommand) => readonly string[];
