import type { BuiltInAgent } from '../built-in-agent.ts';
import definition from './adapter.json' with { type: 'json' };
import { CodexAppServerStream } from './app-server.ts';

export const agent: BuiltInAgent = {
  definition,
  dialogues: { 'codex-app-server': (context) => new CodexAppServerStream(context) },
};
