import type { JsonObject } from '../../kernel/json.ts';
import { choice } from '../../kernel/words.ts';
import type { AgentSettings, ExecutionMode, Permissions } from '../adapter.ts';
import type { AdapterDefinition, ModeDefinition, SettingDefinition } from './shape.ts';
import { executionModes, wayOf } from './way.ts';

/** A setting and the text that `{value}` stands for in it. */
export interface AppliedSetting {
  readonly setting: SettingDefinition;
  readonly value: string;
}

export function appliedSettings(mode: ModeDefinition, wanted: AgentSettings): readonly AppliedSetting[] {
  const { model, permissions, maxTurns, maxUsd, resume, fork } = mode.settings;
  const level = wanted.permissions ?? 'edits';
  const pairs: readonly (readonly [SettingDefinition | undefined, string | number | undefined])[] = [
    [model, wanted.model],
    [permissions?.[level], level],
    [maxTurns, wanted.maxTurns],
    [maxUsd, wanted.maxUsd],
    [resume, wanted.resume?.id],
    [fork, wanted.fork ? wanted.resume?.id : undefined],
  ];
  return pairs.flatMap(([setting, value]) =>
    setting === undefined || value === undefined ? [] : [{ setting, value: String(value) }],
  );
}

/** What the settings of a run add to the opening of its dialogue. */
export function dialogueParams(mode: ModeDefinition, wanted: AgentSettings): JsonObject {
  return Object.assign(
    {},
    ...appliedSettings(mode, wanted).map(({ setting, value }) => filled(setting.params ?? {}, value)),
  ) as JsonObject;
}

function filled(params: NonNullable<SettingDefinition['params']>, value: string): JsonObject {
  const entries = Object.entries(params).map(([name, param]) => [name, param === '{value}' ? value : param]);
  return Object.fromEntries(entries) as JsonObject;
}

export interface Ability {
  readonly type: string;
  readonly modes: AdapterDefinition['modes'];
  readonly mode: ExecutionMode;
  /** The agents that can do what this one cannot. */
  readonly others?: ((settings: AgentSettings) => readonly string[]) | undefined;
}

const LACKS = {
  model: 'does not let its model be chosen',
  maxTurns: 'has no turn limit',
  maxUsd: 'has no money limit of its own',
  resume: 'cannot continue a conversation',
  fork: 'cannot fork a conversation',
} as const;

/** What a CLI lacks of what is wanted, each as a sentence that says what to do. */
export function lacking(ability: Ability, wanted: AgentSettings): readonly string[] {
  const { type, modes, mode } = ability;
  const found = modes[wayOf(modes, mode, wanted)];
  const other = otherMode(mode);
  if (!found)
    return [`${type} has no ${mode} mode${executionModes(modes).includes(other) ? `; use ${other}` : ''}.`];
  const names = Object.keys(LACKS) as (keyof typeof LACKS)[];
  return [
    ...names
      .filter((name) => wanted[name] !== undefined && found.settings[name] === undefined)
      .map((name) => lackingSetting(ability, name, wanted)),
    ...lackingPermissions(ability, found, wanted.permissions ?? 'edits'),
  ];
}

function lackingSetting(ability: Ability, name: keyof typeof LACKS, wanted: AgentSettings): string {
  const { type, modes, mode } = ability;
  const onlyHere = wayOf(modes, mode, wanted) === 'dialogue' && modes.headless?.settings[name] !== undefined;
  const level = onlyHere ? ` with permissions "${wanted.permissions}"` : '';
  return `${type} ${LACKS[name]}${level}; ${wayOut(ability, name, { [name]: wanted[name] }, onlyHere)}.`;
}

function wayOut(
  { modes, mode, others }: Ability,
  name: keyof typeof LACKS,
  wanted: AgentSettings,
  onlyHere: boolean,
): string {
  const remove = `remove ${name}${onlyHere ? ', use other permissions' : ''}`;
  const other = otherMode(mode);
  if (modes[wayOf(modes, other, {})]?.settings[name]) return `${remove} or run it ${other}`;
  if (onlyHere) return `remove ${name} or use other permissions`;
  const able = others?.(wanted) ?? [];
  return `${remove} or use ${able.length === 0 ? 'another agent' : choice(able)}`;
}

function lackingPermissions(
  { type, modes, mode }: Ability,
  { settings: { permissions } }: ModeDefinition,
  level: Permissions,
): readonly string[] {
  if (permissions === undefined || permissions[level] !== undefined) return [];
  const other = otherMode(mode);
  const dialogue = mode === 'headless' ? modes.dialogue?.settings.permissions : undefined;
  const levels = Object.keys({ ...permissions, ...dialogue }).map((each) => `"${each}"`);
  const elsewhere = modes[other]?.settings.permissions?.[level] ? `, or run it ${other}` : '';
  return [`${type} cannot run ${mode} with permissions "${level}"; use ${choice(levels)}${elsewhere}.`];
}

function otherMode(mode: ExecutionMode): ExecutionMode {
  return mode === 'headless' ? 'interactive' : 'headless';
}
