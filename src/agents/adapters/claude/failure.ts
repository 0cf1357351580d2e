import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import type { Failure } from '../stream/error-kind.ts';
import { numberAt, textAt } from '../stream/read-json.ts';

/** The message of a failed call, with the name that claude has for it. */
export function failureOf(message: JsonObject, text: string): Failure {
  const status = numberAt(message, 'api_error_status');
  const name = textAt(message, 'api_error');
  return {
    message: name === undefined ? text : `${text} (${name})`,
    ...(status === undefined ? {} : { status }),
  };
}

export function errorsOf(message: JsonObject): string {
  const errors = message['errors'];
  return Array.isArray(errors) ? errors.map(String).join('\n') : '';
}

/** A call that claude tries again by itself. */
export function retryFailure(message: JsonObject): Failure {
  const status = numberAt(message, 'error_status');
  const name = textAt(message, 'error') ?? 'unknown';
  return {
    message: status === undefined ? name : `${name} ${status}`,
    ...(status === undefined ? {} : { status }),
  };
}

export function retrying(message: JsonObject): AgentEvent {
  const attempt = numberAt(message, 'attempt');
  const waitMs = numberAt(message, 'retry_delay_ms');
  return {
    type: 'retrying',
    reason: retryFailure(message).message,
    ...(attempt === undefined ? {} : { attempt }),
    ...(waitMs === undefined ? {} : { waitMs }),
  };
}
