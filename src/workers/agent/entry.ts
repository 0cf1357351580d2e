import type { AdapterRegistry } from '../../agents/registry/registry.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { isModelName, parseModelName, whoRuns } from '../../manifest/model-name.ts';
import { rosterShape } from '../../manifest/shape/manifest.ts';
import { adaptersOf, type WorkerServices } from '../services.ts';
import { settingsOf } from './job.ts';

/** A block may say everything about its agent that the roster can say, but for what makes it another worker. */
const parametersShape = rosterShape.omit({ command: true, persona: true });

export const ALLOWS_ALL =
  'permissions "all" lets the agent run any command without asking; nothing holds it back.';

type Services = Pick<WorkerServices, 'adapters' | 'models'>;

/** The roster's words, overruled by the block's own. */
export function entryFrom(entry: RosterEntry, parameters: JsonObject): RosterEntry {
  const own = parametersShape.parse(parameters) as RosterEntry;
  if (whoRuns(own).length === 0) return { ...entry, ...own };
  const { agent: _agent, agents: _agents, models: _models, ...rest } = entry;
  return { ...rest, ...own };
}

export function parameterProblems(services: Services, entry: RosterEntry, parameters: JsonObject): string[] {
  const parsed = parametersShape.safeParse(parameters);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  }
  if (Object.keys(parameters).length === 0) return [];
  return checkEntry(services, entryFrom(entry, parameters)).flatMap(({ warning, message }) =>
    warning ? [] : [message],
  );
}

/** What the adapters have against an entry, and what a person should know about it. */
export function checkEntry(
  services: Services,
  entry: RosterEntry,
): readonly { readonly warning: boolean; readonly message: string }[] {
  const adapters = adaptersOf(services);
  const problems = whoRuns(entry).flatMap((name) =>
    isModelName(name) ? modelProblems(services, name) : agentProblems(adapters, name, entry),
  );
  const errors = problems.map((message) => ({ warning: false, message }));
  if (entry.permissions !== 'all') return errors;
  return [...errors, { warning: true, message: ALLOWS_ALL }];
}

function modelProblems({ models }: Services, name: string): readonly string[] {
  const { provider = '' } = parseModelName(name) ?? {};
  if (!models || models.names.includes(provider)) return [];
  return [
    `nobody here serves the models of "${provider}"; known are ${models.names.join(', ')}. Others are named in your own settings, under "providers".`,
  ];
}

function agentProblems(adapters: AdapterRegistry, agent: string, entry: RosterEntry): readonly string[] {
  try {
    return adapters.problems(agent, entry.mode ?? 'headless', settingsOf(entry));
  } catch (error) {
    return [errorMessage(error)];
  }
}
