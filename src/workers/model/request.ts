import type { RosterEntry } from '../../manifest/definition.ts';
import type { Contract, WorkerContext } from '../../manifest/worker.ts';
import type { AnswerShape, ModelRequest } from '../../models/call.ts';
import { isStructured, renderPrompt } from '../agent/prompt.ts';
import { projectTools } from './tools.ts';

const SYSTEM =
  'You are one worker of an automated workflow. Nobody reads along: answer with what is asked for and nothing else.';
const MAX_TURNS = 30;
const MAX_OUTPUT_TOKENS = 16_000;

/** What a block asks a model for. */
export function requestOf(context: WorkerContext, entry: RosterEntry, worktree: string): ModelRequest {
  return {
    system: SYSTEM,
    prompt: renderPrompt(context, { way: 'answers' }),
    answer: shapeOf(context.contract),
    tools: projectTools(worktree),
    maxTurns: entry.maxTurns ?? MAX_TURNS,
    maxOutputTokens: entry.maxTokens ?? MAX_OUTPUT_TOKENS,
  };
}

function shapeOf(contract: Contract): AnswerShape {
  if (isStructured(contract)) return { kind: 'json' };
  const { schema } = contract;
  // Only an object can be asked for; the engine holds any other answer against the schema all the same.
  return schema?.['type'] === 'object' ? { kind: 'schema', schema } : { kind: 'text' };
}
