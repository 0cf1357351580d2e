import type { AgentStream } from '../adapter.ts';
import { ClaudeStream } from './claude/stream.ts';
import { ScriptedStream } from './scripted/stream.ts';
import type { StreamContext } from './stream/context.ts';

type OpenStream = (context: StreamContext) => AgentStream;

const STREAMS = new Map<string, OpenStream>([
  ['claude-stream-json', (context) => new ClaudeStream(context)],
  ['scripted-jsonl', (context) => new ScriptedStream(context)],
]);

export function streamNames(): readonly string[] {
  return [...STREAMS.keys()];
}

export function openStream(name: string, context: StreamContext): AgentStream | undefined {
  return STREAMS.get(name)?.(context);
}
