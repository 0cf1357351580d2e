import type { IncomingMessage, ServerResponse } from 'node:http';
import { PER_ANSWER } from './answer.ts';

/** What a CLI asks besides the model itself: counting tokens, the list of models, whether anybody is there. */
export function sideRequest(request: IncomingMessage, path: string, response: ServerResponse): void {
  const [status, body] = answerTo(request, path);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
}

function answerTo(request: IncomingMessage, path: string): readonly [status: number, body: object] {
  if (path.endsWith('count_tokens')) return [200, { input_tokens: PER_ANSWER.input }];
  if (path.endsWith(':countTokens')) return [200, { totalTokens: PER_ANSWER.input }];
  if (path.endsWith('/models')) {
    return [
      200,
      { object: 'list', data: [{ id: 'fake-model', object: 'model' }], has_more: false, models: [] },
    ];
  }
  // codex tries a WebSocket first and then takes plain HTTP.
  if (request.headers.upgrade) return [426, { error: { message: 'no WebSocket here' } }];
  if (path === '/' || request.method === 'HEAD') return [200, {}];
  return [404, { error: { message: `no such endpoint: ${path}`, type: 'not_found_error' } }];
}
