import { type Answer, newId, PER_ANSWER, sse } from '../answer.ts';
import { folderIn, isWish, readWish, textOf } from '../prompt.ts';
import { chooseTool } from '../tools.ts';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly parameters?: { readonly properties?: object } };
  }[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

/** Chat Completions API: spoken by those that take a provider of their user's own (opencode, qwen, pi, cn, copilot). */
export function answerChat(request: Request): Answer {
  const messages = request.messages ?? [];
  const tools = (request.tools ?? []).map((tool) => tool.function.name);
  const texts = messages.map((message) => textOf(message.content));
  const users = texts.filter((_, i) => messages[i]?.role === 'user');
  const wish = readWish(users);
  const wished = messages.findLastIndex(({ role }, at) => role === 'user' && isWish(texts[at] ?? ''));
  const done = messages.slice(wished + 1).filter(({ role }) => role === 'tool').length;
  const takes = Object.fromEntries(
    (request.tools ?? []).map((each) => [
      each.function.name,
      Object.keys(each.function.parameters?.properties ?? {}),
    ]),
  );
  const tool = chooseTool({ tools, takes, folder: folderIn(texts.join('\n')), done }, wish);
  const content = tool ? 'I will write the file.' : `${wish.word}: wrote ${wish.file}`;
  const called = tool && { name: tool.name, arguments: JSON.stringify(tool.args) };
  const calls = called && {
    tool_calls: [{ index: 0, id: newId('call_'), type: 'function', function: called }],
  };
  const finish_reason = tool ? 'tool_calls' : 'stop';
  const model = request.model ?? 'unknown';
  const head = { id: newId('chatcmpl-'), created: Math.floor(Date.now() / 1000), model };
  const chunk = (delta: object, finish: string | null = null, rest: object = {}) =>
    sse({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...rest,
    });
  const message = { role: 'assistant', content, ...calls };
  return {
    api: 'openai',
    model,
    tools,
    prompts: users,
    tool: tool?.name,
    streamed: request.stream === true,
    json: {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason }],
      usage: USAGE,
    },
    frames: [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content }),
      ...(calls ? [chunk(calls)] : []),
      chunk({}, finish_reason, { usage: USAGE }),
      'data: [DONE]\n\n',
    ],
  };
}

const USAGE = {
  prompt_tokens: PER_ANSWER.input,
  completion_tokens: PER_ANSWER.output,
  total_tokens: PER_ANSWER.input + PER_ANSWER.output,
  prompt_tokens_details: { cached_tokens: PER_ANSWER.cached },
};
