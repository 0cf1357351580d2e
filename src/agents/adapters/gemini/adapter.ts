import { AcpStream } from '../acp/acp-stream.ts';
import type { BuiltInAgent } from '../built-in-agent.ts';
import { geminiTraits } from './acp.ts';
import definition from './adapter.json' with { type: 'json' };
import { GeminiStream } from './stream.ts';

export const agent: BuiltInAgent = {
  definition,
  streams: { 'gemini-stream-json': (context) => new GeminiStream(context) },
  dialogues: { 'gemini-acp': (context) => new AcpStream(context, geminiTraits(context.prices)) },
};
