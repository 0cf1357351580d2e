import { AcpStream } from '../acp/acp-stream.ts';
import type { BuiltInAgent } from '../built-in-agent.ts';
import { opencodeTraits } from './acp.ts';
import definition from './adapter.json' with { type: 'json' };
import { OpencodeStream } from './stream.ts';

export const agent: BuiltInAgent = {
  definition,
  streams: { 'opencode-json': (context) => new OpencodeStream(context) },
  dialogues: { 'opencode-acp': (context) => new AcpStream(context, opencodeTraits(context.resume)) },
};
