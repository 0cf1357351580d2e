import type { RuntimeConfig } from './load.ts';
import type { SettingValue } from './setting.ts';

export type Role = 'worker' | 'tester' | 'docser';
export type RepositoryMode = 'github' | 'local-git' | 'direct';

/** What the runtime of a backlog is told, by name instead of by variable. */
export interface RuntimeSettings {
  readonly id: string;
  readonly role: Role;
  /** The agent and the model of each role. */
  readonly agents: { readonly [role in Role]: string };
  readonly models: { readonly [role in Role]: string | undefined };
  readonly repository: {
    readonly mode: RepositoryMode;
    readonly url: string;
    readonly base: string;
    readonly path: string;
    readonly workspace: string;
    readonly api: string;
  };
  readonly locks: string;
  readonly leaseMs: number;
  readonly coolDownMs: number;
  readonly research: { readonly judge: boolean; readonly reasks: number };
}

const ROLES: readonly Role[] = ['worker', 'tester', 'docser'];

/** `index` is the number of this runtime where several are started, `now` makes its name unique otherwise. */
export function runtimeSettings(
  config: RuntimeConfig,
  { index, now }: { readonly index?: string | undefined; readonly now: number },
): RuntimeSettings {
  const value = valuesOf(config);
  const text = (key: string) => String(value(key));
  const role = text('runtime.role') as Role;
  const agents = byRole((each) =>
    text(`agents.${each}`) === 'inherit' ? text('agents.all') : text(`agents.${each}`),
  );
  return {
    id: text('runtime.id') || `${role}-${index ?? now}`,
    role,
    agents,
    models: byRole((each) => text(`models.${each}`) || modelOfAgent(agents[each], text) || undefined),
    repository: {
      mode: text('repository.mode') as RepositoryMode,
      url: text('repository.url'),
      base: text('repository.base'),
      path: text('repository.path'),
      workspace: text('repository.workspace'),
      api: text('repository.api'),
    },
    locks: text('runtime.locks'),
    leaseMs: Number(value('runtime.leaseSeconds')) * 1000,
    coolDownMs: Number(value('runtime.coolDownMs')),
    research: { judge: text('research.judge') === 'true', reasks: Number(value('research.reasks')) },
  };
}

/** The value of a setting by its readable name. */
export function valuesOf(config: RuntimeConfig): (key: string) => SettingValue {
  const byKey = new Map(config.all.map(({ setting, value }) => [setting.key, value]));
  return (key) => {
    const value = byKey.get(key);
    if (value === undefined) throw new Error(`there is no setting ${key}`);
    return value;
  };
}

function byRole<T>(of: (role: Role) => T): { readonly [role in Role]: T } {
  return Object.fromEntries(ROLES.map((role) => [role, of(role)])) as { [role in Role]: T };
}

function modelOfAgent(agent: string, text: (key: string) => string): string {
  return ['claude', 'codex', 'opencode'].includes(agent) ? text(`models.${agent}`) : '';
}
