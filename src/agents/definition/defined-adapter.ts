import { choice } from '../../kernel/words.ts';
import type {
  AdapterOptions,
  AgentSettings,
  AgentStream,
  ExecutionMode,
  IAgentAdapter,
  LaunchConfig,
  ScreenPatterns,
} from '../adapter.ts';
import { openStream } from '../adapters/open-stream.ts';
import type { DialogueContext } from '../adapters/stream/context.ts';
import type { AdapterClass, AdapterMetadata } from '../registry/adapter-class.ts';
import { launchConfig } from './launch.ts';
import { foreignProvider, withOwnModel } from './own-model.ts';
import { dialogueParams, lacking } from './settings.ts';
import type { AdapterDefinition, ModeDefinition, StateDefinition } from './shape.ts';
import { executionModes, streamOf, wayOf } from './way.ts';

/** The class of adapters that a definition describes; `here` is the definition's folder. */
export function definedAdapter(type: string, definition: AdapterDefinition, here: string): AdapterClass {
  return class DefinedAdapter implements IAgentAdapter {
    static readonly definition = definition;

    static problems(
      mode: ExecutionMode,
      settings: AgentSettings,
      others?: (settings: AgentSettings) => readonly string[],
    ): readonly string[] {
      return [
        ...lacking({ type, modes: definition.modes, mode, others }, settings),
        ...foreignModel(type, definition, settings, others),
      ];
    }

    readonly name: string;
    readonly screen?: ScreenPatterns;
    readonly #options: AdapterOptions;
    #prompt: string | undefined;

    constructor(options: AdapterOptions) {
      this.name = options.name;
      this.#options = withOwnModel(options, definition);
      const screen = screenPatterns(definition);
      if (screen) this.screen = screen;
    }

    getLaunchConfig(mode: ExecutionMode, prompt?: string, extraArgs: readonly string[] = []): LaunchConfig {
      this.#prompt = prompt?.trim();
      const asRoot = process.getuid?.() === 0;
      return launchConfig({
        type,
        definition,
        here,
        mode,
        options: this.#options,
        prompt,
        extraArgs,
        asRoot,
      });
    }

    openStream(name: ExecutionMode): AgentStream | undefined {
      const { modes, errors } = definition;
      const way = wayOf(modes, name, this.#options);
      const [mode, stream] = [modes[way], streamOf(modes, way)];
      if (!mode || stream === undefined) return undefined;
      const { model, resume, fork, prices } = this.#options;
      return openStream(stream, {
        errors,
        ...(mode.usage === undefined ? {} : { usage: mode.usage }),
        ...(model === undefined ? {} : { model }),
        ...(resume === undefined ? {} : { resume }),
        ...(fork === undefined ? {} : { fork }),
        ...(prices === undefined ? {} : { prices }),
        ...(way === 'dialogue' ? { dialogue: this.#dialogue(mode) } : {}),
      });
    }

    #dialogue(mode: ModeDefinition): DialogueContext {
      return {
        prompt: this.#prompt ?? '',
        cwd: this.#options.cwd,
        params: dialogueParams(mode, this.#options),
        asks: this.#options.permissions === 'ask',
        ...(mode.authenticate === undefined ? {} : { authenticate: mode.authenticate }),
      };
    }
  };
}

function foreignModel(
  type: string,
  definition: AdapterDefinition,
  settings: AgentSettings,
  others: ((settings: AgentSettings) => readonly string[]) | undefined,
): string[] {
  const provider = foreignProvider(settings, definition);
  if (provider === undefined || settings.model === undefined) return [];
  const able = others?.({ model: settings.model }) ?? [];
  const instead = able.length === 0 ? 'another agent' : choice(able);
  const known = choice(definition.models?.providers ?? []);
  return [
    `${type} cannot use ${settings.model}: it has the models of ${known}, not of ${provider}; choose one of those, or use ${instead}.`,
  ];
}

/** The registry calls one that has no name to be displayed as its type. */
export function metadataOf({ metadata, modes }: AdapterDefinition): Partial<AdapterMetadata> {
  return { ...metadata, modes: executionModes(modes) };
}

type Kind = NonNullable<StateDefinition['kind']>;

/** The states of a definition as patterns; undefined where it has none. */
function screenPatterns({ states }: AdapterDefinition): ScreenPatterns | undefined {
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
