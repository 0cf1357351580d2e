import type { Given, ReplyOf, RouteName } from '../../api/routes/routes.ts';
import type { Action } from '../../kernel/action.ts';
import type { Project } from '../../project/project.ts';
import type { Caller, Callers, Halves } from '../auth/callers.ts';
import type { CommandOf } from '../http/problem.ts';
import type { Turns } from '../http/turns.ts';
import type { Hub } from '../live/hub.ts';
import type { Sources } from '../live/sources.ts';
import type { Start } from '../start.ts';

/** What every handler works with. */
export interface Served {
  readonly project: Project;
  readonly following: Awaited<ReturnType<Project['follow']>>;
  readonly hub: Hub;
  readonly sources: Pick<Sources, 'liveOf'>;
  readonly callers: Callers;
  readonly commandOf: CommandOf;
  readonly readOnly: boolean;
  readonly version: string;
  readonly start: Start;
  readonly gitReads: Turns;
}

export interface Call extends Served {
  /** Who calls; only an open route is called without. */
  readonly caller: Caller | undefined;
  /** Gives the browser its half. */
  readonly giveCookie: (halves: Halves | undefined) => void;
}

export type Handler<Name extends RouteName> = (given: Given<Name>, call: Call) => Promise<ReplyOf<Name>>;
export type Handlers<Name extends RouteName = RouteName> = { readonly [N in Name]: Handler<N> };

/**
 * What a use case gave, as its route promises it. The contract is checked on every reply by the tests of the routes;
 * the compiler cannot compare the types of the inside with shapes that are wider.
 */
export function reply<Name extends RouteName>(_route: Name, value: object): ReplyOf<Name> {
  return value as ReplyOf<Name>;
}

/** Actions for a page, each with the command that does the same. */
export function told(actions: readonly Action[], { commandOf }: Pick<Served, 'commandOf'>): object[] {
  return actions.map((action) => {
    const command = commandOf(action);
    return command === undefined ? action : { ...action, command };
  });
}
