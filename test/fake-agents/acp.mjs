// Speaks the Agent Client Protocol on its standard streams and ends when its input is closed.
//   --die-at METHOD     ends with code 3 when it is asked for that, without an answer
//   --refuse METHOD     answers that with an error
//   --request METHOD    asks the client for that before it answers the prompt, and says what it got
//   --ask N             wants to be allowed N tools at a time, and says what was chosen
import { createInterface } from 'node:readline';

const option = (name) => process.argv[process.argv.indexOf(name) + 1 || process.argv.length];
const waiting = new Map();
let lastId = 100;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tell = (update) => write({ method: 'session/update', params: { sessionId: 's-1', update } });
const say = (text) => tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

function request(method, params) {
  const id = lastId++;
  write({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const OPTIONS = [
  { optionId: 'once', kind: 'allow_once', name: 'Allow once' },
  { optionId: 'no', kind: 'reject_once', name: 'Reject' },
];

async function use(toolCallId) {
  const toolCall = { toolCallId, title: `tool ${toolCallId}`, kind: 'edit', status: 'pending' };
  const { result } = await request('session/request_permission', { toolCall, options: OPTIONS });
  const status = result.outcome.optionId === 'once' ? 'completed' : 'failed';
  tell({ sessionUpdate: 'tool_call_update', toolCallId, status });
  return `${toolCallId} ${result.outcome.optionId}`;
}

async function prompted({ prompt }) {
  say('I was told: ');
  say(prompt[0].text);
  const method = option('--request');
  if (method) say(`. ${method} gave ${JSON.stringify((await request(method, {})).error)}`);
  const asked = Array.from({ length: Number(option('--ask') ?? 0) }, (_, at) => use(`t${at + 1}`));
  for (const chosen of await Promise.all(asked)) say(`. ${chosen}`);
  return { stopReason: 'end_turn' };
}

async function answer({ id, method, params }) {
  if (method === option('--die-at')) process.exit(3);
  if (method === option('--refuse'))
    return write({ id, error: { code: -32000, message: 'Authentication required' } });
  if (method === 'session/prompt') return write({ id, result: await prompted(params) });
  write({ id, result: method === 'session/new' ? { sessionId: 's-1' } : {} });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method) void answer(message);
  else waiting.get(message.id)?.(message);
}
