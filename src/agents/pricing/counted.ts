import type { AgentSettings, ExecutionMode } from '../adapter.ts';
import type { AdapterDefinition } from '../definition/shape.ts';
import { streamOf, wayOf } from '../definition/way.ts';

/** What is known of a run's use while it goes on: money, only tokens, or nothing at all. */
export type Counted = 'usd' | 'tokens' | 'nothing';

/** By the reader of what the CLI prints. One that is not named here, and a painted screen, tell nothing. */
const BY_STREAM: { readonly [stream: string]: Counted } = {
  'claude-stream-json': 'usd',
  'opencode-json': 'usd',
  'opencode-acp': 'usd',
  'scripted-jsonl': 'usd',
  'codex-app-server': 'tokens',
  'gemini-stream-json': 'tokens',
  'gemini-acp': 'tokens',
  'pi-json': 'usd',
  'qwen-acp': 'tokens',
  'copilot-acp': 'tokens',
};

export function countedBy(
  { modes }: Pick<AdapterDefinition, 'modes'>,
  mode: ExecutionMode,
  settings: AgentSettings,
): Counted {
  const way = wayOf(modes, mode, settings);
  const [stream, usage] = [streamOf(modes, way), modes[way]?.usage];
  if (usage && stream !== undefined) return usage.usd === undefined ? 'tokens' : 'usd';
  return stream !== undefined && Object.hasOwn(BY_STREAM, stream)
    ? (BY_STREAM[stream] ?? 'nothing')
    : 'nothing';
}
