import type { JsonObject } from '../../../kernel/json.ts';
import { AcpStream } from '../acp/acp-stream.ts';
import { plainTraits } from '../acp/plain.ts';
import type { AcpTraits } from '../acp/traits.ts';
import type { BuiltInAgent } from '../built-in-agent.ts';
import type { StreamContext } from '../stream/context.ts';
import { objectAt, textAt } from '../stream/read-json.ts';
import definition from './adapter.json' with { type: 'json' };
import { QwenStream } from './stream.ts';

export const agent: BuiltInAgent = {
  definition,
  streams: { 'qwen-stream-json': (context) => new QwenStream(context) },
  dialogues: { 'qwen-acp': (context) => new AcpStream(context, qwenTraits(context)) },
};

function qwenTraits(context: StreamContext): AcpTraits {
  return { ...plainTraits(context), toolName };
}

const BY_KIND: { readonly [kind: string]: string } = { edit: 'write_file', execute: 'run_shell_command' };

/** Before it asks it does not tell the name of a tool, only what kind of tool it is. */
function toolName(call: JsonObject): string {
  const kind = textAt(call, 'kind') ?? '';
  return textAt(objectAt(call, '_meta'), 'toolName') ?? BY_KIND[kind] ?? textAt(call, 'title') ?? 'a tool';
}
