import type { ScreenPatterns } from '../adapter.ts';
import type { AdapterDefinition, StateDefinition } from './shape.ts';

type Kind = NonNullable<StateDefinition['kind']>;

/** The states of a definition as patterns; undefined where it has none. */
export function screenPatterns({ states }: AdapterDefinition): ScreenPatterns | undefined {
  const entries = Object.entries(states).map(([name, state]) => ({
    name,
    kind: state.kind ?? kindOf(name),
    // Remembering its last position would make a pattern miss every second screen.
    pattern: new RegExp(state.pattern, state.flags.replaceAll(/[gy]/g, '')),
    ...(state.pick === undefined ? {} : { pick: state.pick }),
  }));
  if (entries.length === 0) return undefined;
  const of = (kind: Kind) => entries.filter((entry) => entry.kind === kind);
  return {
    interactions: of('interaction').map(({ kind: _kind, ...pattern }) => pattern),
    working: of('working').map(({ pattern }) => pattern),
    idle: of('idle').map(({ pattern }) => pattern),
  };
}

/** A file that only maps names to patterns says by the name what a state means. */
function kindOf(name: string): Kind {
  return name === 'working' || name === 'idle' ? name : 'interaction';
}
