import type { Clock } from '../../../kernel/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import type { AgentError, AgentErrorKind, AgentEvent } from '../../event.ts';
import { epochMs, resetTime } from '../reset/reset-time.ts';
import { agentError, type Failure } from '../stream/error-kind.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';

const KINDS: { readonly [info: string]: AgentErrorKind } = {
  usageLimitExceeded: 'quota',
  serverOverloaded: 'overloaded',
  internalServerError: 'overloaded',
  flexUnavailable: 'overloaded',
  policyCapacityUnavailable: 'overloaded',
  unauthorized: 'auth',
  badRequest: 'refused',
  contextWindowExceeded: 'refused',
  modelNotFound: 'refused',
  sessionBudgetExceeded: 'refused',
  cyberPolicy: 'refused',
  misalignmentPolicyViolation: 'refused',
  tooManyDenials: 'refused',
};
const RECONNECTING = /^Reconnecting\.\.\. (\d+)\/\d+(?: \((.*)\))?$/s;

/** What codex says went wrong, by its own name for it and, where it has none, by its words. */
export class CodexErrors {
  readonly #clock: Clock;
  #resetAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A spent window says when it starts again; of several the last one counts. */
  limited(limits: JsonObject): void {
    const spent = ['primary', 'secondary']
      .map((name) => objectAt(limits, name))
      .filter((window) => (numberAt(window, 'usedPercent') ?? 0) >= 100)
      .flatMap((window) => numberAt(window, 'resetsAt') ?? []);
    this.#resetAt = spent.length === 0 ? undefined : epochMs(Math.max(...spent));
  }

  of(error: JsonObject, message: string): AgentError {
    const info = error['codexErrorInfo'];
    const kind = typeof info === 'string' ? KINDS[info] : undefined;
    if (kind === undefined) return agentError(this.failureOf(error), this.#clock.now());
    const resetAt = kind === 'quota' ? (this.#resetAt ?? resetTime(message, this.#clock.now())) : undefined;
    return { type: 'error', kind, message, ...(resetAt === undefined ? {} : { resetAt }) };
  }

  failureOf(error: JsonObject): Failure {
    const message = [textAt(error, 'message'), textAt(error, 'additionalDetails')]
      .filter((part) => part !== undefined)
      .join(' ');
    const status = statusIn(error['codexErrorInfo']);
    return {
      message: message === '' ? 'The turn failed.' : message,
      ...(status === undefined ? {} : { status }),
      ...(this.#resetAt === undefined ? {} : { resetAt: this.#resetAt }),
    };
  }
}

export function retrying(error: JsonObject): AgentEvent {
  const message = textAt(error, 'message') ?? '';
  const [, attempt, why] = RECONNECTING.exec(message) ?? [];
  const reason = textAt(error, 'additionalDetails') ?? why ?? message;
  return { type: 'retrying', reason, ...(attempt === undefined ? {} : { attempt: Number(attempt) }) };
}

/** `{"httpConnectionFailed": {"httpStatusCode": 401}}` */
function statusIn(info: JsonValue | undefined): number | undefined {
  if (!isJsonObject(info)) return undefined;
  return Object.values(info)
    .filter(isJsonObject)
    .map((details) => numberAt(details, 'httpStatusCode'))
    .find((status) => status !== undefined);
}
