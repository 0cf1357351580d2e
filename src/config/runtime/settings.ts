import { type RepositoryMode, type Review, ROLES, type Role } from '../../kernel/runtime-words.ts';
import type { RuntimeConfig } from './load.ts';
import type { RuntimeValues } from './table.ts';

export type { RepositoryMode, Role } from '../../kernel/runtime-words.ts';

/** The settings of a backlog's runtime, by name instead of by variable. */
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
  readonly review: { readonly [role in Role]: Review };
  readonly locks: string;
  readonly leaseMs: number;
  readonly coolDownMs: number;
  readonly reworkMs: number;
  readonly mostRetries: number;
  /** How many tasks of a role run at once, where that is limited. */
  readonly lanes: { readonly [role in Role]: number | undefined };
  /** Files of which only one task at a time may change any. */
  readonly areas: readonly string[];
  readonly research: { readonly judge: boolean; readonly reasks: number };
}

/** `index` is the number of this runtime where several are started, `now` makes its name unique otherwise. */
export function runtimeSettings(
  { values }: Pick<RuntimeConfig, 'values'>,
  { index, now }: { readonly index?: string | undefined; readonly now: number },
): RuntimeSettings {
  const { runtime, lanes, agents: said, review, models, repository, research } = values;
  const agents = byRole((role) => (said[role] === 'inherit' ? said.all : said[role]));
  const { mode, url, base, path, workspace, api } = repository;
  return {
    id: runtime.id || `${runtime.role}-${index ?? now}`,
    role: runtime.role,
    agents,
    models: byRole((role) => models[role] || modelOfAgent(agents[role], models) || undefined),
    repository: { mode, url, base, path, workspace, api },
    review: byRole((role) => (review[role] === 'inherit' ? review.all : review[role])),
    locks: runtime.locks,
    leaseMs: runtime.leaseSeconds * 1000,
    coolDownMs: runtime.coolDownMs,
    reworkMs: runtime.reworkMs,
    mostRetries: runtime.retries,
    lanes: byRole((role) => lanes[role] || undefined),
    areas: lanes.areas,
    research: { judge: research.judge, reasks: research.reasks },
  };
}

function byRole<T>(of: (role: Role) => T): { readonly [role in Role]: T } {
  const [worker, tester, docser] = ROLES;
  return { [worker]: of(worker), [tester]: of(tester), [docser]: of(docser) };
}

function modelOfAgent(
  agent: string,
  { claude, codex, opencode }: RuntimeValues['models'],
): string | undefined {
  return new Map([
    ['claude', claude],
    ['codex', codex],
    ['opencode', opencode],
  ]).get(agent);
}
