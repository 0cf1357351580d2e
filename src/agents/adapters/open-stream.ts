import type { AgentStream } from '../adapter.ts';
import { AcpStream } from './acp/acp-stream.ts';
import { plainTraits } from './acp/plain.ts';
import type { BuiltInAgent, OpenStream } from './built-in-agent.ts';
import type { StreamContext } from './stream/context.ts';
import { BUILT_IN_AGENTS } from './table.ts';
import { TextStream } from './text-stream.ts';

/** Readers that belong to no single CLI. */
const COMMON: Omit<BuiltInAgent, 'definition'> = {
  streams: { text: (context) => new TextStream(context) },
  dialogues: { acp: (context) => new AcpStream(context, plainTraits(context)) },
};

const PROVIDERS = [COMMON, ...Object.values(BUILT_IN_AGENTS)];
const DIALOGUES = new Map<string, OpenStream>(
  PROVIDERS.flatMap(({ dialogues = {} }) => Object.entries(dialogues)),
);
const STREAMS = new Map<string, OpenStream>([
  ...DIALOGUES,
  ...PROVIDERS.flatMap(({ streams = {} }) => Object.entries(streams)),
]);

export function streamNames({ dialogue = false }: { readonly dialogue?: boolean } = {}): readonly string[] {
  return [...(dialogue ? DIALOGUES : STREAMS).keys()];
}

export function openStream(name: string, context: StreamContext): AgentStream | undefined {
  return STREAMS.get(name)?.(context);
}
