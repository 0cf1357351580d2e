import type * as z from 'zod';
import { actRoutes } from './acts.ts';
import { backlogRoutes } from './backlog.ts';
import { fileRoutes } from './files.ts';
import { reviewRoutes } from './review.ts';
import type { Route } from './route.ts';
import { serverRoutes } from './server.ts';
import { sessionRoutes } from './sessions.ts';
import { upkeepRoutes } from './upkeep.ts';

/** Every route of the server, by name. Handlers, tests, the OpenAPI document and the web app are bound to this table. */
export const routes = {
  ...serverRoutes,
  ...sessionRoutes,
  ...actRoutes,
  ...fileRoutes,
  ...reviewRoutes,
  ...upkeepRoutes,
  ...backlogRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

type Of<Shape, Kind extends 'in' | 'out'> = Shape extends z.ZodType
  ? Kind extends 'in'
    ? z.input<Shape>
    : z.output<Shape>
  : Record<string, never>;
type Field<Name extends RouteName, Key extends keyof Route> = Routes[Name] extends {
  readonly [K in Key]: infer Shape;
}
  ? Shape
  : undefined;

/** What a caller sends and gets. */
export type ParamsOf<Name extends RouteName> = Of<Field<Name, 'params'>, 'in'>;
export type QueryOf<Name extends RouteName> = Of<Field<Name, 'query'>, 'in'>;
export type BodyOf<Name extends RouteName> = Of<Field<Name, 'body'>, 'in'>;
export type ReplyOf<Name extends RouteName> = Of<Field<Name, 'reply'>, 'out'>;

/** What a handler is given, read and checked. */
export interface Given<Name extends RouteName> {
  readonly params: Of<Field<Name, 'params'>, 'out'>;
  readonly query: Of<Field<Name, 'query'>, 'out'>;
  readonly body: Of<Field<Name, 'body'>, 'out'>;
}
