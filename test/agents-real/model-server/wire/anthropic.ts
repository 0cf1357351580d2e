import { type Answer, newId, PER_ANSWER, sse } from '../answer.ts';
import { folderIn, isWish, readWish, textOf } from '../prompt.ts';
import { chooseTool } from '../tools.ts';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

/** Messages API: spoken by claude. */
export function answerAnthropic(request: Request): Answer {
  const messages = request.messages ?? [];
  const tools = (request.tools ?? []).map((tool) => tool.name);
  const users = messages
    .filter((message) => message.role === 'user')
    .map((message) => textOf(message.content));
  const wish = readWish(users);
  const folder = folderIn([textOf(request.system), ...users].join('\n'));
  const wished = messages.findLastIndex(({ content }) => isWish(textOf(content)));
  const done = messages.slice(wished + 1).filter(({ content }) => hasToolResult(content)).length;
  const tool = chooseTool({ tools, folder, done }, wish);
  const blocks: Block[] = [
    { type: 'text', text: tool ? 'I will write the file.' : `${wish.word}: wrote ${wish.file}` },
    ...(tool ? [{ type: 'tool_use' as const, id: newId('toolu_'), name: tool.name, input: tool.args }] : []),
  ];
  const model = request.model ?? 'unknown';
  const head = { id: newId('msg_'), type: 'message', role: 'assistant', model, stop_sequence: null };
  const stop_reason = tool ? 'tool_use' : 'end_turn';
  return {
    api: 'anthropic',
    model,
    tools,
    prompts: users,
    tool: tool?.name,
    streamed: request.stream === true,
    json: { ...head, content: blocks, stop_reason, usage: { ...USAGE, output_tokens: PER_ANSWER.output } },
    frames: [
      frame('message_start', { message: { ...head, content: [], stop_reason: null, usage: USAGE } }),
      ...blocks.flatMap(blockFrames),
      frame('message_delta', {
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: PER_ANSWER.output },
      }),
      frame('message_stop', {}),
    ],
  };
}

/** Here cached input is counted beside the other input, not within it. */
const USAGE = {
  input_tokens: PER_ANSWER.input - PER_ANSWER.cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: PER_ANSWER.cached,
  output_tokens: 1,
};

type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: object | string;
    };

function blockFrames(block: Block, index: number): string[] {
  const [content_block, delta] =
    block.type === 'text'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  return [
    frame('content_block_start', { index, content_block }),
    frame('content_block_delta', { index, delta }),
    frame('content_block_stop', { index }),
  ];
}

function frame(type: string, rest: object): string {
  return sse({ type, ...rest }, type);
}

function hasToolResult(content: unknown): boolean {
  return Array.isArray(content) && content.some((part: { type?: string }) => part.type === 'tool_result');
}
