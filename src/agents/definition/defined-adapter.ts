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
import type { AdapterClass, AdapterMetadata } from '../registry/adapter-class.ts';
import { launchConfig } from './launch.ts';
import { screenPatterns } from './screen.ts';
import { lacking, promptOnStream } from './settings.ts';
import type { AdapterDefinition } from './shape.ts';

/** The class of adapters that a definition describes; `here` is the definition's folder. */
export function definedAdapter(type: string, definition: AdapterDefinition, here: string): AdapterClass {
  return class DefinedAdapter implements IAgentAdapter {
    static readonly definition = definition;

    static problems(
      mode: ExecutionMode,
      settings: AgentSettings,
      others?: (settings: AgentSettings) => readonly string[],
    ): readonly string[] {
      return lacking({ type, modes: definition.modes, mode, others }, settings);
    }

    readonly name: string;
    readonly screen?: ScreenPatterns;
    readonly #options: AdapterOptions;
    #prompt: string | undefined;

    constructor(options: AdapterOptions) {
      this.name = options.name;
      this.#options = options;
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
      const mode = definition.modes[name];
      if (mode?.stream === undefined) return undefined;
      const { model, resume } = this.#options;
      const first = promptOnStream(mode, this.#options) ? this.#prompt : undefined;
      return openStream(mode.stream, {
        errors: definition.errors,
        ...(model === undefined ? {} : { model }),
        ...(resume === undefined ? {} : { resume }),
        ...(first === undefined ? {} : { prompt: first }),
      });
    }
  };
}

export function metadataOf({ metadata, modes }: AdapterDefinition): AdapterMetadata {
  const names: readonly ExecutionMode[] = ['headless', 'interactive'];
  return { ...metadata, modes: names.filter((name) => modes[name] !== undefined) };
}
