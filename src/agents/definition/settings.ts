import type { AgentSettings, ExecutionMode, Permissions } from '../adapter.ts';
import type { AdapterDefinition, ModeDefinition, SettingDefinition } from './shape.ts';

/** A setting and the text that `{value}` stands for in it. */
export interface AppliedSetting {
  readonly setting: SettingDefinition;
  readonly value: string;
}

export function appliedSettings(mode: ModeDefinition, wanted: AgentSettings): readonly AppliedSetting[] {
  const { model, permissions, maxTurns, maxUsd, resume } = mode.settings;
  const level = wanted.permissions ?? 'edits';
  const pairs: readonly (readonly [SettingDefinition | undefined, string | number | undefined])[] = [
    [model, wanted.model],
    [permissions?.[level], level],
    [maxTurns, wanted.maxTurns],
    [maxUsd, wanted.maxUsd],
    [resume, wanted.resume?.id],
  ];
  return pairs.flatMap(([setting, value]) =>
    setting === undefined || value === undefined ? [] : [{ setting, value: String(value) }],
  );
}

/** Whether the prompt travels on the structured channel and not as an argument. */
export function promptOnStream(mode: ModeDefinition, wanted: AgentSettings): boolean {
  return appliedSettings(mode, wanted).some(({ setting }) => setting.prompt === 'stream');
}

export interface Ability {
  readonly type: string;
  readonly modes: AdapterDefinition['modes'];
  readonly mode: ExecutionMode;
  /** The agents that can do what this one cannot. */
  readonly others?: ((settings: AgentSettings) => readonly string[]) | undefined;
}

const LACKS = {
  model: 'cannot be told its model',
  maxTurns: 'has no turn limit',
  maxUsd: 'has no money limit of its own',
  resume: 'cannot continue a conversation',
} as const;

/** What a CLI lacks of what is wanted, each as a sentence that says what to do. */
export function lacking(ability: Ability, wanted: AgentSettings): readonly string[] {
  const { type, modes, mode } = ability;
  const found = modes[mode];
  const other = otherMode(mode);
  if (!found) return [`${type} has no ${mode} mode${modes[other] ? `; use ${other}` : ''}.`];
  const names = Object.keys(LACKS) as (keyof typeof LACKS)[];
  return [
    ...names
      .filter((name) => wanted[name] !== undefined && found.settings[name] === undefined)
      .map((name) => `${type} ${LACKS[name]}; ${wayOut(ability, name, { [name]: wanted[name] })}.`),
    ...lackingPermissions(ability, found, wanted.permissions ?? 'edits'),
  ];
}

function wayOut({ modes, mode, others }: Ability, name: keyof typeof LACKS, wanted: AgentSettings): string {
  const other = otherMode(mode);
  if (modes[other]?.settings[name]) return `remove ${name} or run it ${other}`;
  const able = others?.(wanted) ?? [];
  return `remove ${name} or use ${able.length === 0 ? 'another agent' : able.join(' or ')}`;
}

function lackingPermissions(
  { type, modes, mode }: Ability,
  { settings: { permissions } }: ModeDefinition,
  level: Permissions,
): readonly string[] {
  if (permissions === undefined || permissions[level] !== undefined) return [];
  const other = otherMode(mode);
  const levels = Object.keys(permissions).map((each) => `"${each}"`);
  const elsewhere = modes[other]?.settings.permissions?.[level] ? `, or run it ${other}` : '';
  return [`${type} cannot run ${mode} with permissions "${level}"; use ${levels.join(' or ')}${elsewhere}.`];
}

function otherMode(mode: ExecutionMode): ExecutionMode {
  return mode === 'headless' ? 'interactive' : 'headless';
}
