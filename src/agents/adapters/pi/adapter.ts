import type { BuiltInAgent } from '../built-in-agent.ts';
import definition from './adapter.json' with { type: 'json' };
import { PiStream } from './stream.ts';

export const agent: BuiltInAgent = {
  definition,
  streams: { 'pi-json': (context) => new PiStream(context) },
};
