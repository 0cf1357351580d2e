import type { JsonObject } from '../../../kernel/json.ts';
import { AcpStream } from '../acp/acp-stream.ts';
import { plainTraits } from '../acp/plain.ts';
import type { AcpTraits } from '../acp/traits.ts';
import type { BuiltInAgent } from '../built-in-agent.ts';
import type { StreamContext } from '../stream/context.ts';
import type { Failure } from '../stream/error-kind.ts';
import { textAt } from '../stream/read-json.ts';
import type { Retry } from '../stream/retry.ts';
import definition from './adapter.json' with { type: 'json' };

export const agent: BuiltInAgent = {
  definition,
  dialogues: { 'copilot-acp': (context) => new AcpStream(context, copilotTraits(context)) },
};

function copilotTraits(context: StreamContext): AcpTraits {
  return { ...plainTraits(context), toolName, failureIn, retryIn };
}

const BY_KIND: { readonly [kind: string]: string } = { edit: 'create', execute: 'bash' };

/** It tells what a call does, not the name of its tool. */
function toolName(call: JsonObject): string {
  return BY_KIND[textAt(call, 'kind') ?? ''] ?? textAt(call, 'title') ?? 'a tool';
}

const RETRYING = /^Info: (Request failed due to [\s\S]*?)\.? Retrying\.\.\.$/;

/** It says it in the name of the agent. */
function retryIn(said: string): Retry | undefined {
  const reason = RETRYING.exec(said)?.[1];
  return reason === undefined ? undefined : { events: [{ type: 'retrying', reason }] };
}

/** A call of the model that failed is told as what the agent says, and its turn ends well, only without a use. */
function failureIn(said: string, result: JsonObject): Failure | undefined {
  if (result['usage'] !== undefined || !said.startsWith('Error: ')) return undefined;
  // Before that stands how long it tried, which is no time to come back at.
  const message = said.slice('Error: '.length).replace(/^[\s\S]*\bLast error: /, '');
  const [, http, first] = /\bHTTP (\d{3})\b|^(\d{3})\b/.exec(message) ?? [];
  const status = http ?? first;
  return { message, ...(status === undefined ? {} : { status: Number(status) }) };
}
