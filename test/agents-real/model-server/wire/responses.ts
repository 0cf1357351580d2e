import { type Answer, newId, PER_ANSWER, sse } from '../answer.ts';
import { folderIn, isWish, readWish, textOf } from '../prompt.ts';
import { chooseTool, type ToolCall } from '../tools.ts';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly Tool[];
  readonly input?: readonly Item[];
}

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly tools?: readonly Tool[];
}

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly Tool[];
}

/** Responses API: spoken by codex. */
export function answerResponses(request: Request): Answer {
  const input = request.input ?? [];
  const tools = names([...(request.tools ?? []), ...input.flatMap((item) => item.tools ?? [])]);
  const users = input.filter((item) => item.role === 'user').map((item) => textOf(item.content));
  const wish = readWish(users);
  const wished = input.findLastIndex(({ role, content }) => role === 'user' && isWish(textOf(content)));
  const done = input.slice(wished + 1).filter(({ type }) => type?.endsWith('_output')).length;
  const tool = chooseTool({ tools, folder: folderIn(users.join('\n')), done }, wish);
  const text = tool ? 'I will write the file.' : `${wish.word}: wrote ${wish.file}`;
  const message = {
    type: 'message',
    id: newId('msg_'),
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const output = tool ? [message, callItem(tool)] : [message];
  const model = request.model ?? 'unknown';
  const created_at = Math.floor(Date.now() / 1000);
  const head = { id: newId('resp_'), object: 'response', created_at, model };
  const response = { ...head, status: 'completed', output, usage: USAGE };
  return {
    api: 'openai',
    model,
    tools,
    prompts: users,
    tool: tool?.name,
    streamed: request.stream === true,
    json: response,
    frames: numbered([
      ['response.created', { response: { ...head, status: 'in_progress', output: [], usage: null } }],
      ...output.flatMap((item, output_index) => itemEvents(item, output_index, text)),
      ['response.completed', { response }],
    ]),
  };
}

const USAGE = {
  input_tokens: PER_ANSWER.input,
  input_tokens_details: { cached_tokens: PER_ANSWER.cached },
  output_tokens: PER_ANSWER.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: PER_ANSWER.input + PER_ANSWER.output,
};

interface OutputItem {
  readonly type: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

type Event = readonly [type: string, rest: object];

function itemEvents(item: OutputItem, output_index: number, text: string): Event[] {
  const isMessage = item.type === 'message';
  const begun = isMessage ? { ...item, status: 'in_progress', content: [] } : item;
  const delta = { item_id: item.id, output_index, content_index: 0, delta: text };
  return [
    ['response.output_item.added', { output_index, item: begun }],
    ...(isMessage ? [['response.output_text.delta', delta] as const] : []),
    ['response.output_item.done', { output_index, item }],
  ];
}

/** A tool whose input is plain text is a "custom" one. */
function callItem({ name, args }: ToolCall): OutputItem {
  const [id, call_id] = [newId('item_'), newId('call_')];
  if (typeof args === 'string') return { type: 'custom_tool_call', id, call_id, name, input: args };
  return { type: 'function_call', id, call_id, name, arguments: JSON.stringify(args) };
}

function names(tools: readonly Tool[]): string[] {
  return tools.flatMap((tool) => (tool.tools ? names(tool.tools) : [tool.name ?? tool.type]));
}

function numbered(events: readonly Event[]): string[] {
  return events.map(([type, rest], sequence_number) => sse({ type, sequence_number, ...rest }, type));
}
