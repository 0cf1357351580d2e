import { parseModelName } from '../../manifest/model-name.ts';
import type { AgentSettings } from '../adapter.ts';
import type { AdapterDefinition } from './shape.ts';

type Known = Pick<AdapterDefinition, 'models'>;

/** The settings of a run with the model as this CLI names it: `anthropic/claude-x` is `claude-x` to claude. */
export function withOwnModel<S extends AgentSettings>(settings: S, { models }: Known): S {
  const named = settings.model === undefined ? undefined : parseModelName(settings.model);
  if (!named || !models?.providers.includes(named.provider)) return settings;
  return { ...settings, model: named.model };
}

/** Whose model is wanted that this CLI cannot use; a name without a provider is its own business. */
export function foreignProvider({ model }: AgentSettings, { models }: Known): string | undefined {
  const named = model === undefined ? undefined : parseModelName(model);
  return named && models && !models.providers.includes(named.provider) ? named.provider : undefined;
}
