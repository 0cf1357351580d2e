import type { BuiltInAgent } from '../built-in-agent.ts';
import definition from './adapter.json' with { type: 'json' };
import { ClaudeStream } from './stream.ts';

export const agent: BuiltInAgent = {
  definition,
  dialogues: { 'claude-stream-json': (context) => new ClaudeStream(context) },
};
