import { AcpStream } from '../acp/acp-stream.ts';
import { plainTraits } from '../acp/plain.ts';
import type { AcpTraits } from '../acp/traits.ts';
import type { BuiltInAgent } from '../built-in-agent.ts';
import type { StreamContext } from '../stream/context.ts';
import definition from './adapter.json' with { type: 'json' };
import { OPENCODE_NOISE, OpencodeLog } from './log-lines.ts';
import { OpencodeStream } from './stream.ts';

export const agent: BuiltInAgent = {
  definition,
  streams: { 'opencode-json': (context) => new OpencodeStream(context) },
  dialogues: { 'opencode-acp': (context) => new AcpStream(context, opencodeTraits(context)) },
};

/** `opencode acp`. It writes files by itself and asks for the same again, whatever we can and whatever we answer. */
function opencodeTraits(context: StreamContext): AcpTraits {
  const log = new OpencodeLog();
  return {
    ...plainTraits(context),
    noise: OPENCODE_NOISE,
    tells: ['fs/write_text_file'],
    retry: (line) => log.read(line),
  };
}
