import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the next request gets. */
export type Turn =
  | { readonly text: string; readonly finish?: 'stop' | 'length' | 'refusal' }
  | { readonly tool: string; readonly input: object }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object | string }
  /** So much is streamed, then the line goes dead. */
  | { readonly cut: string }
  /** What comes is no event stream of the protocol. */
  | { readonly malformed: string }
  | { readonly hang: true };

export interface Received {
  readonly wire: Wire;
  readonly key: string;
  readonly body: { readonly [field: string]: unknown };
  readonly text: string;
}

type Wire = 'anthropic' | 'openai' | 'chat' | 'google';

export interface ModelApi {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Input and output of every answer, as it is billed. */
export const BILLED = { input: 1200, cached: 200, output: 34 };

/** A model API on loopback that answers as it is told, in the protocol that it is asked in. */
export async function modelApi(answer: (request: Received, count: number) => Turn): Promise<ModelApi> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse((await textOf(request)) || '{}') as Received['body'];
      const wire = wireOf(request.url ?? '');
      const one = { wire, key: keyOf(request), body, text: JSON.stringify(body) };
      received.push(one);
      send(response, wire, answer(one, received.length));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

function wireOf(url: string): Wire {
  if (url.includes('/messages')) return 'anthropic';
  if (url.includes('/responses')) return 'openai';
  return url.includes('/chat/completions') ? 'chat' : 'google';
}

function keyOf({ headers }: IncomingMessage): string {
  const said = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization ?? '';
  return String(said).replace(/^Bearer /, '');
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

function send(response: ServerResponse, wire: Wire, turn: Turn): void {
  if ('hang' in turn) return;
  if ('status' in turn) {
    const body =
      typeof turn.body === 'string'
        ? turn.body
        : JSON.stringify(turn.body ?? { error: { message: `refused ${turn.status}` } });
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
    response.end(body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('malformed' in turn) {
    response.end(turn.malformed);
    return;
  }
  const frames = FRAMES[wire]('cut' in turn ? { text: turn.cut } : turn);
  if (!('cut' in turn)) {
    response.end(frames.join(''));
    return;
  }
  // Everything up to the words themselves, and then nothing more.
  response.write(frames.slice(0, CUT_AFTER[wire]).join(''), () => response.destroy());
}

const CUT_AFTER = { anthropic: 3, openai: 4, chat: 2, google: 1 };

type Said = Extract<Turn, { text: string } | { tool: string }>;

const FRAMES: { readonly [W in Wire]: (turn: Said) => string[] } = {
  anthropic: (turn) => {
    const usage = {
      input_tokens: BILLED.input - BILLED.cached,
      cache_read_input_tokens: BILLED.cached,
      output_tokens: 1,
    };
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage,
    };
    const isTool = 'tool' in turn;
    const block = isTool
      ? { type: 'tool_use', id: 'toolu_1', name: turn.tool, input: {} }
      : { type: 'text', text: '' };
    const delta = isTool
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }
      : { type: 'text_delta', text: turn.text };
    const stop = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' };
    return [
      event({ type: 'message_start', message }),
      event({ type: 'content_block_start', index: 0, content_block: block }),
      event({ type: 'content_block_delta', index: 0, delta }),
      event({ type: 'content_block_stop', index: 0 }),
      event({
        type: 'message_delta',
        delta: { stop_reason: isTool ? 'tool_use' : stop[turn.finish ?? 'stop'], stop_sequence: null },
        usage: { output_tokens: BILLED.output },
      }),
      event({ type: 'message_stop' }),
    ];
  },
  openai: (turn) => {
    const usage = {
      input_tokens: BILLED.input,
      input_tokens_details: { cached_tokens: BILLED.cached },
      output_tokens: BILLED.output,
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const response = { id: 'resp_1', created_at: 1, model: 'm' };
    if ('tool' in turn) {
      const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: turn.tool };
      return [
        event({ type: 'response.created', response }),
        event({ type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '' } }),
        event({
          type: 'response.output_item.done',
          output_index: 0,
          item: { ...call, arguments: JSON.stringify(turn.input), status: 'completed' },
        }),
        event({ type: 'response.completed', response: { ...response, usage } }),
      ];
    }
    const done =
      turn.finish === 'length'
        ? {
            type: 'response.incomplete',
            response: { ...response, usage, incomplete_details: { reason: 'max_output_tokens' } },
          }
        : turn.finish === 'refusal'
          ? {
              type: 'response.incomplete',
              response: { ...response, usage, incomplete_details: { reason: 'content_filter' } },
            }
          : { type: 'response.completed', response: { ...response, usage } };
    return [
      event({ type: 'response.created', response }),
      event({
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', id: 'msg_1', role: 'assistant' },
      }),
      event({
        type: 'response.content_part.added',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        part: { type: 'output_text', text: '' },
      }),
      event({
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: turn.text,
      }),
      event({
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
      }),
      event(done),
    ];
  },
  chat: (turn) => {
    const choice = (delta: object, finish: string | null) =>
      event({ id: 'c1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });
    const usage = {
      prompt_tokens: BILLED.input,
      completion_tokens: BILLED.output,
      prompt_tokens_details: { cached_tokens: BILLED.cached },
    };
    const last = event({ id: 'c1', created: 1, model: 'm', choices: [], usage });
    if ('tool' in turn) {
      const call = {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
      };
      return [
        choice({ role: 'assistant', tool_calls: [call] }, null),
        choice({}, 'tool_calls'),
        last,
        'data: [DONE]\n\n',
      ];
    }
    const finish = { stop: 'stop', length: 'length', refusal: 'content_filter' }[turn.finish ?? 'stop'];
    return [
      choice({ role: 'assistant', content: '' }, null),
      choice({ content: turn.text }, null),
      choice({}, finish),
      last,
      'data: [DONE]\n\n',
    ];
  },
  google: (turn) => {
    const usageMetadata = {
      promptTokenCount: BILLED.input,
      cachedContentTokenCount: BILLED.cached,
      candidatesTokenCount: BILLED.output,
      totalTokenCount: BILLED.input + BILLED.output,
    };
    const part =
      'tool' in turn ? { functionCall: { name: turn.tool, args: turn.input } } : { text: turn.text };
    const finish =
      'tool' in turn
        ? 'STOP'
        : { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[turn.finish ?? 'stop'];
    return [
      event({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] }),
      event({
        candidates: [{ content: { role: 'model', parts: [] }, finishReason: finish, index: 0 }],
        usageMetadata,
      }),
    ];
  },
};

function event(data: { readonly type?: string; readonly [field: string]: unknown }): string {
  return `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;
}
