import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import type { Route } from '../../api/routes/route.ts';
import { type Given, type RouteName, routes } from '../../api/routes/routes.ts';
import type { Caller, Halves } from '../auth/callers.ts';
import { type Allowed, objectionTo } from '../auth/guard.ts';
import { type Door, tooMany, whoCalls } from '../auth/who.ts';
import type { Handler, Served } from '../handlers/context.ts';
import { handlers } from '../handlers/handlers.ts';
import type { NoteAccess } from './access-log.ts';
import { ALWAYS, EVENT_HEADER, PRIVATE, PROOF_HEADER } from './headers.ts';
import { problemOf, Refused } from './problem.ts';
import type { Repeats } from './repeats.ts';
import type { StaticFiles } from './static.ts';

export const API = '/api/v1';
const MOST_BODY = 1024 * 1024;

export interface AppOptions {
  readonly served: Served;
  readonly door: Door;
  readonly allowed: Allowed;
  readonly files: StaticFiles;
  readonly note: NoteAccess;
  readonly repeats: Repeats;
  readonly cookieAttributes: string;
  /** Streams for scripts; bound here so that it passes the same checks. */
  readonly stream: (call: { readonly topics: string; readonly after: string | undefined }) => Response;
}

type Env = { Variables: { caller: Caller | undefined; route: string } };

/** Everything the server answers over HTTP: the checks first, whatever is asked for. */
export function makeApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use('*', async (context, next) => {
    await guarded(context, next, options);
  });
  for (const [name, route] of Object.entries<Route>(routes)) {
    app.on(route.method, `${API}${route.path}`, (context) =>
      answer(context, name as RouteName, route, options),
    );
  }
  app.get(`${API}/events`, (context) => {
    identify(context, options.door);
    context.set('route', '/events');
    const after = context.req.header('last-event-id') ?? context.req.query('after');
    return options.stream({ topics: context.req.query('topics') ?? '', after });
  });
  app.all(`${API}/*`, (context) => {
    identify(context, options.door);
    throw new Refused('not-found', 'There is no such route.');
  });
  app.get('*', (context) => {
    const zipped = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '');
    const asset = options.files.find(context.req.path, { zipped });
    if (!asset) throw new Refused('not-found', 'There is no such file.');
    return new Response(new Uint8Array(asset.body), { headers: asset.headers });
  });
  app.onError((error, context) => {
    const { status, body } = problemOf(error, options.served.commandOf);
    return context.json(body, status as ContentfulStatusCode);
  });
  return app;
}

/** Before anything else, and around everything else. */
async function guarded(context: Context<Env>, next: () => Promise<void>, options: AppOptions): Promise<void> {
  const { req } = context;
  const headers = {
    host: req.header('host'),
    origin: req.header('origin'),
    authorization: req.header('authorization'),
    cookie: req.header('cookie'),
    'sec-fetch-site': req.header('sec-fetch-site'),
  };
  const objection = objectionTo({ method: req.method, headers }, options.allowed);
  const isApi = req.path.startsWith(`${API}/`);
  if (objection === undefined) await next();
  else context.res = context.json({ problem: objection, code: 'forbidden' }, 403);
  for (const [name, value] of Object.entries({ ...ALWAYS, ...(isApi ? PRIVATE : {}) })) {
    context.res.headers.set(name, value);
  }
  const refused = objection !== undefined;
  if (!isApi && !refused) return;
  options.note({
    method: req.method,
    route: context.get('route') ?? (isApi ? 'unknown' : 'file'),
    status: context.res.status,
    caller: context.get('caller')?.id ?? null,
  });
}

async function answer(
  context: Context<Env>,
  name: RouteName,
  route: Route,
  options: AppOptions,
): Promise<Response> {
  const { served, door } = options;
  context.set('route', route.path);
  if (!route.open) identify(context, door);
  if (name === 'logIn' && door.attempts.isClosed) throw tooMany();
  const isUnsafe = route.method !== 'GET';
  const isAboutCaller = name === 'logIn' || name === 'logOut';
  if (isUnsafe && !isAboutCaller && served.readOnly)
    throw new Refused('read-only', 'This server only shows; it changes nothing.');
  const at = served.hub.at;
  const given = await givenIn(context, route);
  const caller = context.get('caller');
  let cookie: string | undefined;
  const giveCookie = (halves: Halves | undefined): void => {
    const value = halves?.cookie ?? '; Max-Age=0';
    cookie = `${door.cookieName}=${value}; ${options.cookieAttributes}`;
  };
  const act = async (): Promise<object> => {
    const handler = handlers[name] as unknown as Handler<RouteName>;
    return handler(given as unknown as Given<RouteName>, { ...served, caller, giveCookie });
  };
  try {
    const key = isUnsafe ? context.req.header('idempotency-key') : undefined;
    const scope = `${caller?.id ?? ''} ${route.method} ${context.req.path}`;
    const body = await (key === undefined ? act() : options.repeats.once(`${scope} ${key}`, act));
    if (cookie !== undefined) context.header('set-cookie', cookie);
    return isUnsafe ? context.json(body, route.status ?? 200) : withTag(context, body, at);
  } catch (error) {
    if (name === 'logIn' && error instanceof Refused && error.code === 'unauthorised') door.attempts.wrong();
    throw error;
  }
}

/** A snapshot: it says up to which event it is valid, and is not sent twice. */
function withTag(context: Context<Env>, body: object, at: string): Response {
  const text = JSON.stringify(body);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = { etag: tag, [EVENT_HEADER]: at };
  if (context.req.header('if-none-match') === tag) return context.body(null, 304, headers);
  return context.body(text, 200, { ...headers, 'content-type': 'application/json; charset=utf-8' });
}

function identify(context: Context<Env>, door: Door): void {
  const { req } = context;
  const shown = {
    authorization: req.header('authorization'),
    cookie: req.header('cookie'),
    proof: req.header(PROOF_HEADER),
  };
  context.set('caller', whoCalls(shown, door));
}

async function givenIn(context: Context<Env>, { params, query, body, method }: Route): Promise<object> {
  const { req } = context;
  return {
    params: checked(params, req.param(), 'address'),
    query: checked(query, req.query(), 'query'),
    body: method === 'GET' ? {} : checked(body, await bodyOf(context, method), 'body'),
  };
}

async function bodyOf({ req }: Context<Env>, method: Route['method']): Promise<unknown> {
  const type = req.header('content-type');
  if (method === 'DELETE' && type === undefined) return {};
  // A form of another page can send anything but this.
  if (!/^application\/json(?:;|$)/.test(type ?? '')) throw new Refused('invalid', 'The body must be JSON.');
  const text = await textOf(req.raw);
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refused('invalid', 'The body is not valid JSON.');
  }
}

function checked(shape: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!shape) return {};
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new Refused(
    'invalid',
    `The ${where} is not as it must be: ${path === '' ? '' : `${path}: `}${issue?.message ?? ''}`,
  );
}

/** Stops reading where it becomes too much, whatever was said about its length. */
async function textOf({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BODY) throw new Refused('too-large', 'The body is larger than 1 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
