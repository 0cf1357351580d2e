import { Refused } from '../http/problem.ts';
import type { Attempts } from './attempts.ts';
import type { Caller, Callers } from './callers.ts';

/** What a request shows about who calls. */
export interface Shown {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly proof: string | undefined;
}

export interface Door {
  readonly callers: Callers;
  readonly attempts: Attempts;
  readonly cookieName: string;
}

/** Who calls; a refusal when they cannot show it. */
export function whoCalls(shown: Shown, { callers, attempts, cookieName }: Door): Caller {
  const bearer = /^Bearer (.+)$/.exec(shown.authorization ?? '')?.[1];
  if (bearer !== undefined) {
    if (attempts.isClosed) throw tooMany();
    const caller = callers.withBearer(bearer);
    if (caller) return caller;
    attempts.wrong();
    throw new Refused('unauthorised', 'This bearer token is not known here.');
  }
  const cookie = cookieIn(shown.cookie, cookieName);
  const caller =
    cookie === undefined || shown.proof === undefined
      ? undefined
      : callers.withHalves({ cookie, proof: shown.proof });
  if (caller) return caller;
  throw new Refused('unauthorised', 'Open the address that the server printed: it knows nobody else.');
}

export function tooMany(): Refused {
  return new Refused('too-many', 'Too many wrong tokens: wait a minute.');
}

function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
