import type { JsonObject } from '../../../kernel/json.ts';
import { AcpStream } from '../acp/acp-stream.ts';
import { plainTraits } from '../acp/plain.ts';
import type { AcpTraits } from '../acp/traits.ts';
import type { BuiltInAgent } from '../built-in-agent.ts';
import type { StreamContext } from '../stream/context.ts';
import type { Failure } from '../stream/error-kind.ts';
import { textAt } from '../stream/read-json.ts';
import definition from './adapter.json' with { type: 'json' };

export const agent: BuiltInAgent = {
  definition,
  dialogues: { 'copilot-acp': (context) => new AcpStream(context, copilotTraits(context)) },
};

function copilotTraits(context: StreamContext): AcpTraits {
  return { ...plainTraits(context), toolName, failureIn };
}

const BY_KIND: { readonly [kind: string]: string } = { edit: 'create', execute: 'bash' };

/** It tells what a call does, not the name of its tool. */
function toolName(call: JsonObject): string {
  return BY_KIND[textAt(call, 'kind') ?? ''] ?? textAt(call, 'title') ?? 'a tool';
}

/** A call of the model that failed is told as what the agent says, and its turn ends well, only without a use. */
function failureIn(said: string, result: JsonObject): Failure | undefined {
  if (result['usage'] !== undefined || !said.startsWith('Error: ')) return undefined;
  const status = /\bHTTP (\d{3})\b|^Error: (\d{3})\b/.exec(said);
  const code = Number(status?.[1] ?? status?.[2]);
  return { message: said.slice('Error: '.length), ...(Number.isNaN(code) ? {} : { status: code }) };
}
