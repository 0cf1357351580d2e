import * as z from 'zod';
import type { JsonObject } from '../../kernel/json.ts';
import { httpProblem, STATUS_OF } from './problem.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** The contract as an OpenAPI 3.1 document, made from the table that the server itself is made from. */
export function openApi(): JsonObject {
  const all = Object.entries<Route>(routes);
  const replies = shared(
    'Reply',
    'output',
    Object.fromEntries(all.map(([name, { reply }]) => [name, reply])),
  );
  const bodies = shared(
    'Body',
    'input',
    Object.fromEntries(all.flatMap(([name, { body }]) => (body ? [[name, body]] : []))),
  );
  const paths: { [path: string]: { [method: string]: JsonObject } } = {};
  for (const [name, route] of all) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const schemas = { reply: replies.of[name] ?? {}, body: bodies.of[name] };
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'loopwright',
      version: '1',
      description: 'The server of the dashboard. A field can be added within a version.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ cookie: [], proof: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'lw-<port>-<boot>' },
        proof: { type: 'apiKey', in: 'header', name: 'x-loopwright' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Problem: schemaOf(httpProblem), ...replies.parts, ...bodies.parts },
    },
  };
}

interface Shared {
  readonly of: { readonly [name: string]: JsonObject };
  /** What several of them have in common, each once. */
  readonly parts: { readonly [name: string]: JsonObject };
}

function shared(
  prefix: string,
  io: 'input' | 'output',
  shapes: { readonly [name: string]: z.ZodType },
): Shared {
  const schema = z.toJSONSchema(z.object(shapes), { io, unrepresentable: 'any', reused: 'ref' });
  const named = JSON.stringify(schema).replaceAll(
    /"#\/\$defs\/_*(\w+)"/g,
    `"#/components/schemas/${prefix}_$1"`,
  );
  const { properties = {}, $defs = {} } = JSON.parse(named) as {
    readonly properties?: { readonly [name: string]: JsonObject };
    readonly $defs?: { readonly [name: string]: JsonObject };
  };
  const parts = Object.entries($defs).map(([name, part]) => [`${prefix}_${name.replace(/^_+/, '')}`, part]);
  return { of: properties, parts: Object.fromEntries(parts) as Shared['parts'] };
}

interface Schemas {
  readonly reply: JsonObject;
  readonly body: JsonObject | undefined;
}

function operation(name: string, route: Route, { reply, body }: Schemas): JsonObject {
  const { summary, params, query, status = 200, refused = [], open } = route;
  const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const codes = [...(open ? ['invalid'] : ['invalid', 'unauthorised', 'forbidden']), ...refused] as const;
  const refusals = [...new Set(codes.map((code) => STATUS_OF[code as keyof typeof STATUS_OF]))].map(
    (code) => [String(code), { description: 'Refused', content: problem }] as const,
  );
  return {
    operationId: name,
    summary,
    ...(open ? { security: [] } : {}),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: {
      [String(status)]: {
        description: summary,
        content: { 'application/json': { schema: reply } },
      },
      ...Object.fromEntries(refusals),
    },
  };
}

function parametersOf(shape: z.ZodObject | undefined, where: 'path' | 'query'): JsonObject[] {
  if (!shape) return [];
  return Object.entries(shape.shape).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: schemaOf(field as z.ZodType),
  }));
}

function schemaOf(shape: z.ZodType): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
