import type { BuiltInAgent } from '../built-in-agent.ts';
import definition from './adapter.json' with { type: 'json' };
import { ScriptedStream } from './stream.ts';

export const agent: BuiltInAgent = {
  definition,
  streams: { 'scripted-jsonl': (context) => new ScriptedStream(context) },
};
