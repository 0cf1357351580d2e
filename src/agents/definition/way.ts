import type { AgentSettings, ExecutionMode } from '../adapter.ts';
import type { AdapterDefinition, ModeDefinition, ModeName } from './shape.ts';

type Modes = AdapterDefinition['modes'];

/** How a CLI is started for a run: a headless one goes over the dialogue where only that has its permission. */
export function wayOf(modes: Modes, mode: ExecutionMode, wanted: AgentSettings): ModeName {
  if (mode === 'interactive' || !modes.dialogue) return mode;
  if (!modes.headless) return 'dialogue';
  return !permits(modes.headless, wanted) && permits(modes.dialogue, wanted) ? 'dialogue' : 'headless';
}

/** The reader of what the CLI prints: without a word about it the words of a headless one are read as they are. */
export function streamOf(modes: Modes, way: ModeName): string | undefined {
  const mode = modes[way];
  return mode?.stream ?? (mode && way === 'headless' ? 'text' : undefined);
}

/** The modes that a run can ask for. */
export function executionModes(modes: Modes): readonly ExecutionMode[] {
  const names: readonly ExecutionMode[] = ['headless', 'interactive'];
  return names.filter((name) => modes[wayOf(modes, name, {})] !== undefined);
}

/** One that lists no permissions takes any. */
function permits({ settings: { permissions } }: ModeDefinition, wanted: AgentSettings): boolean {
  return permissions === undefined || permissions[wanted.permissions ?? 'edits'] !== undefined;
}
