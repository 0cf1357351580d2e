import type { AgentStream } from '../adapter.ts';
import { AcpStream } from './acp/acp-stream.ts';
import { plainTraits } from './acp/plain.ts';
import { ClaudeStream } from './claude/stream.ts';
import { CodexAppServerStream } from './codex/app-server.ts';
import { geminiTraits } from './gemini/acp.ts';
import { GeminiStream } from './gemini/stream.ts';
import { opencodeTraits } from './opencode/acp.ts';
import { OpencodeStream } from './opencode/stream.ts';
import { ScriptedStream } from './scripted/stream.ts';
import type { StreamContext } from './stream/context.ts';
import { TextStream } from './text-stream.ts';

type OpenStream = (context: StreamContext) => AgentStream;

/** Those that can hold a dialogue: they carry the prompt, and answers to questions. */
const DIALOGUES = new Map<string, OpenStream>([
  ['claude-stream-json', (context) => new ClaudeStream(context)],
  ['codex-app-server', (context) => new CodexAppServerStream(context)],
  ['acp', (context) => new AcpStream(context, plainTraits(context.resume))],
  ['opencode-acp', (context) => new AcpStream(context, opencodeTraits(context.resume))],
  ['gemini-acp', (context) => new AcpStream(context, geminiTraits())],
]);

const STREAMS = new Map<string, OpenStream>([
  ...DIALOGUES,
  ['gemini-stream-json', (context) => new GeminiStream(context)],
  ['opencode-json', (context) => new OpencodeStream(context)],
  ['text', (context) => new TextStream(context)],
  ['scripted-jsonl', (context) => new ScriptedStream(context)],
]);

export function streamNames({ dialogue = false }: { readonly dialogue?: boolean } = {}): readonly string[] {
  return [...(dialogue ? DIALOGUES : STREAMS).keys()];
}

export function openStream(name: string, context: StreamContext): AgentStream | undefined {
  return STREAMS.get(name)?.(context);
}
