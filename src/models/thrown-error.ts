import { errorMessage } from '../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { errorOfRefusal, type ModelError } from './model-error.ts';

/** What is thrown, or comes as an error in a stream, in our words. */
export function errorOf(thrown: unknown, now: number): ModelError {
  const { statusCode, responseBody, responseHeaders } = (thrown ?? {}) as {
    readonly statusCode?: number;
    readonly responseBody?: string;
    readonly responseHeaders?: { readonly [name: string]: string };
  };
  const message = errorMessage(thrown);
  if (statusCode !== undefined && statusCode >= 400) {
    // An error in the first event of a stream is handed on as a refusal.
    if (statusCode >= 500 && NO_ANSWER.test(responseBody ?? '')) return MALFORMED;
    const refusal = { status: statusCode, headers: responseHeaders ?? {}, body: responseBody ?? '', message };
    return errorOfRefusal(refusal, now);
  }
  if (thrown instanceof Error) {
    if (NO_ANSWER.test(thrown.name)) return MALFORMED;
    return { kind: isCut(thrown) ? 'cut' : 'network', message };
  }
  return inStream(thrown) ?? { kind: 'other', message };
}

/** Providers may send an error in the middle of a stream, with its kind and no status. */
function inStream(thrown: unknown): ModelError | undefined {
  const error = isJsonObject(thrown) && isJsonObject(thrown['error']) ? thrown['error'] : thrown;
  if (!isJsonObject(error)) return undefined;
  const words = `${textAt(error, 'type')} ${textAt(error, 'code')}`;
  const said = textAt(error, 'message') || words;
  if (/overloaded|server_error|api_error/.test(words)) return { kind: 'overloaded', message: said };
  if (/rate_limit|quota|RESOURCE_EXHAUSTED/.test(words)) return { kind: 'quota', message: said };
  return { kind: 'other', message: said };
}

const NO_ANSWER = /AI_(?:JSONParse|TypeValidation|InvalidResponseData|InvalidStreamPart)/;
const MALFORMED: ModelError = {
  kind: 'malformed',
  message: 'the provider sent something that is no answer',
};

function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isCut(thrown: Error): boolean {
  const words = `${errorMessage(thrown)} ${errorMessage(thrown.cause)}`;
  return /terminated|premature|other side closed|aborted|ECONNRESET|socket hang up/i.test(words);
}
