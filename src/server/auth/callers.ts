import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who calls, after they have shown it. */
export interface Caller {
  readonly id: string;
  readonly by: 'browser' | 'bearer';
}

export interface Halves {
  readonly cookie: string;
  readonly proof: string;
}

interface Known extends Caller {
  /** One for a bearer, two for a browser: the cookie and the proof. */
  readonly digests: readonly Buffer[];
}

const TOKEN_MS = 120_000;
/** A person has a few browsers, a script asks again: what is beyond is forgotten, the oldest first. */
const MOST_CALLERS = 200;
const MOST_TOKENS = 20;

/**
 * Who may call this server. Invariants:
 * 1. A one-time token is good once, for two minutes.
 * 2. A browser shows both halves: the cookie goes to every port of the machine, the proof to this one alone.
 * 3. Nothing of it is kept but digests, and all of it dies with the process.
 */
export class Callers {
  readonly #now: () => number;
  readonly #tokens: { readonly digest: Buffer; readonly until: number }[] = [];
  readonly #known: Known[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  newToken(): string {
    const token = secret();
    this.#tokens.push({ digest: digestOf(token), until: this.#now() + TOKEN_MS });
    if (this.#tokens.length > MOST_TOKENS) this.#tokens.shift();
    return token;
  }

  /** Undefined for a token that is wrong, used or too old. */
  redeem(token: string): Halves | undefined {
    const wanted = digestOf(token);
    const at = this.#tokens.findIndex(({ digest }) => timingSafeEqual(digest, wanted));
    const [found] = at < 0 ? [] : this.#tokens.splice(at, 1);
    if (!found || found.until < this.#now()) return undefined;
    const halves = { cookie: secret(), proof: secret() };
    this.#add('browser', [halves.cookie, halves.proof]);
    return halves;
  }

  newBearer(): string {
    const bearer = secret();
    this.#add('bearer', [bearer]);
    return bearer;
  }

  withHalves({ cookie, proof }: Halves): Caller | undefined {
    return this.#find('browser', [cookie, proof]);
  }

  withBearer(bearer: string): Caller | undefined {
    return this.#find('bearer', [bearer]);
  }

  /** Whether one half is right; the other is still to come. */
  isCookie(cookie: string): boolean {
    const wanted = digestOf(cookie);
    return this.#known.some(
      ({ by, digests }) =>
        by === 'browser' && digests[0] !== undefined && timingSafeEqual(digests[0], wanted),
    );
  }

  forget({ id }: Caller): void {
    const at = this.#known.findIndex((known) => known.id === id);
    if (at >= 0) this.#known.splice(at, 1);
  }

  isKnown({ id }: Caller): boolean {
    return this.#known.some((known) => known.id === id);
  }

  #add(by: Caller['by'], secrets: readonly string[]): void {
    this.#known.push({ id: randomBytes(4).toString('hex'), by, digests: secrets.map(digestOf) });
    if (this.#known.length > MOST_CALLERS) this.#known.shift();
  }

  #find(by: Caller['by'], secrets: readonly string[]): Caller | undefined {
    const wanted = secrets.map(digestOf);
    const found = this.#known.find(
      (known) =>
        known.by === by &&
        known.digests.every((digest, index) => timingSafeEqual(digest, wanted[index] ?? digestOf(''))),
    );
    return found && { id: found.id, by };
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
