import * as z from 'zod';
import type { JsonObject } from '../../kernel/json.ts';
import { httpProblem, STATUS_OF } from './problem.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** The contract as an OpenAPI 3.1 document, made from the table that the server itself is made from. */
export function openApi(): JsonObject {
  const paths: { [path: string]: { [method: string]: JsonObject } } = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
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
      schemas: { Problem: schemaOf(httpProblem, 'output') },
    },
  };
}

function operation(name: string, route: Route): JsonObject {
  const { summary, params, query, body, reply, status = 200, refused = [], open } = route;
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
            content: { 'application/json': { schema: schemaOf(body, 'input') } },
          },
        }
      : {}),
    responses: {
      [String(status)]: {
        description: summary,
        content: { 'application/json': { schema: schemaOf(reply, 'output') } },
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
    schema: schemaOf(field as z.ZodType, 'input'),
  }));
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
