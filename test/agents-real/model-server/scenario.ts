/**
 * What the server does with a run's model calls, by a name in the URL:
 * `ok` (a tool call that writes a file, then text), `hang` (never answers), `hang-after-<n>` (answers n calls first),
 * `slow-<ms>` (as `ok`, but later), `cut` (the connection is lost in the middle of every answer), or a failure (`429`, `529`, `503`, `500`, `401`, `403`, `quota`, `usage`).
 * A failure may be followed by `-after-<seconds>`, which it tells the client to wait, and with `-times-<n>`, which lets
 * it happen to the first n calls only; `-reset-<seconds>` says when a spent quota is there again, without it half an hour later.
 */
export interface Scenario {
  readonly name: string;
  readonly silent: boolean;
  /** How many calls are answered before it is silent. */
  readonly answered: number;
  readonly cut: boolean;
  readonly delayMs: number;
  readonly failure: Failure | undefined;
  /** How many calls fail; the others are answered. */
  readonly failing: number;
  /** How long after a call a spent quota is there again. */
  readonly resetSeconds: number;
}

export interface Failure {
  readonly kind: FailureKind;
  /** Told to the client where the API has a way to say it. */
  readonly retryAfterSeconds?: number;
}

const FAILURES = ['429', '529', '503', '500', '401', '403', 'quota', 'usage'] as const;
export type FailureKind = (typeof FAILURES)[number];

const RESET_SECONDS = 30 * 60;

export function parseScenario(name: string): Scenario {
  const delayMs = Number(/^slow-(\d+)$/.exec(name)?.[1] ?? 0);
  const [, kind, seconds, count, reset] =
    /^(\w+?)(?:-after-(\d+))?(?:-times-(\d+))?(?:-reset-(\d+))?$/.exec(name) ?? [];
  const known = FAILURES.find((failure) => failure === kind);
  const [hangs, answered = '0'] = /^hang(?:-after-(\d+))?$/.exec(name) ?? [];
  if (!known && delayMs === 0 && name !== 'ok' && name !== 'cut' && hangs === undefined) {
    throw new Error(`The model server knows no scenario "${name}".`);
  }
  return {
    name,
    silent: hangs !== undefined,
    answered: Number(answered),
    cut: name === 'cut',
    delayMs,
    failure: known && { kind: known, ...(seconds ? { retryAfterSeconds: Number(seconds) } : {}) },
    resetSeconds: Number(reset ?? RESET_SECONDS),
    failing: count ? Number(count) : Number.POSITIVE_INFINITY,
  };
}
