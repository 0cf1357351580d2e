import type { AgentStream } from '../adapter.ts';
import { ClaudeStream } from './claude/stream.ts';
import { CodexStream } from './codex/stream.ts';
import { GeminiStream } from './gemini/stream.ts';
import { OpencodeStream } from './opencode/stream.ts';
import { ScriptedStream } from './scripted/stream.ts';
import type { StreamContext } from './stream/context.ts';
import { TextStream } from './text-stream.ts';

type OpenStream = (context: StreamContext) => AgentStream;

const STREAMS = new Map<string, OpenStream>([
  ['claude-stream-json', (context) => new ClaudeStream(context)],
  ['codex-jsonl', (context) => new CodexStream(context)],
  ['gemini-stream-json', (context) => new GeminiStream(context)],
  ['opencode-json', (context) => new OpencodeStream(context)],
  ['text', (context) => new TextStream(context)],
  ['scripted-jsonl', (context) => new ScriptedStream(context)],
]);

export function streamNames(): readonly string[] {
  return [...STREAMS.keys()];
}

export function openStream(name: string, context: StreamContext): AgentStream | undefined {
  return STREAMS.get(name)?.(context);
}
