import { isJsonObject } from '../../kernel/json.ts';

/** What GitHub answered when it did not do what it was asked to. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(message: string, { status, headers }: Response) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export interface GitHubAddress {
  readonly api: string;
  readonly token: string;
}

type Parameters = { readonly [name: string]: unknown };

/**
 * Sends one request, such as `GET /repos/{owner}/{repo}/pulls`. Parameters that the route names fill it, those left
 * over are the query of a GET and the body of anything else. Throws a `RefusedRequest`, or what `fetch` throws where
 * nothing answers.
 */
export async function requestGitHub(
  { api, token }: GitHubAddress,
  route: string,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<unknown> {
  const [method = 'GET', template = ''] = route.split(' ');
  const left = new Map(Object.entries(parameters));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = words(left.get(name));
    left.delete(name);
    return encodeURIComponent(value);
  });
  const url = new URL(api.replace(/\/+$/, '') + path);
  const body = method === 'GET' ? undefined : JSON.stringify(Object.fromEntries(left));
  if (body === undefined) for (const [name, value] of left) url.searchParams.set(name, words(value));
  const response = await fetch(url, {
    method,
    signal,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `token ${token}`,
      'user-agent': 'loopwright',
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const said = await answerOf(response);
  if (!response.ok) throw new RefusedRequest(messageIn(said) || response.statusText, response);
  return said;
}

function words(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Proxies and outages answer in HTML. */
async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return text;
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

function messageIn(said: unknown): string {
  if (!isJsonObject(said) || typeof said['message'] !== 'string') return '';
  const { message, errors } = said;
  return Array.isArray(errors)
    ? `${message}: ${errors.map((error) => JSON.stringify(error)).join(', ')}`
    : message;
}
