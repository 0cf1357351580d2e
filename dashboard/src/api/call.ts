import type { HttpProblem } from '../../../src/api/routes/problem.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteName } from '../../../src/api/routes/routes.ts';
import { keptProof } from './proof.ts';
import { addressOf } from './routes.ts';

/** A call that was refused, with what the server says about it. */
export class Refused extends Error {
  readonly code: string;
  readonly next: HttpProblem['next'];

  constructor({ problem, code, next }: Pick<HttpProblem, 'problem' | 'next'> & { readonly code: string }) {
    super(problem);
    this.code = code;
    this.next = next;
  }
}

export interface CallInput<Name extends RouteName> {
  readonly params?: ParamsOf<Name>;
  readonly query?: QueryOf<Name>;
  readonly body?: BodyOf<Name>;
  /** Makes a call that is sent twice count once. */
  readonly once?: string;
}

export interface Answer<Name extends RouteName> {
  readonly reply: ReplyOf<Name>;
  /** All events up to this one are in the reply. */
  readonly event: string;
}

/** Calls a route of the contract. */
export async function ask<Name extends RouteName>(
  name: Name,
  input: CallInput<Name> = {},
): Promise<Answer<Name>> {
  const { method, url } = addressOf(name, input.params ?? {}, input.query ?? {});
  const reply = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      'x-loopwright': keptProof()?.proof ?? '',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(input.once === undefined ? {} : { 'idempotency-key': input.once }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(input.body ?? {}) }),
  }).catch(() => {
    throw new Refused({ problem: 'The server does not answer.', code: 'unreachable' });
  });
  const text = await reply.text();
  if (!reply.ok) throw refusal(text, reply.status);
  return { reply: JSON.parse(text) as ReplyOf<Name>, event: reply.headers.get('x-loopwright-event') ?? '' };
}

export async function call<Name extends RouteName>(
  name: Name,
  input?: CallInput<Name>,
): Promise<ReplyOf<Name>> {
  return (await ask(name, input)).reply;
}

function refusal(text: string, status: number): Refused {
  try {
    return new Refused(JSON.parse(text) as HttpProblem);
  } catch {
    return new Refused({ problem: `The server answered with ${status}.`, code: 'internal' });
  }
}
