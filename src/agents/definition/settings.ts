import type { AgentSettings, ExecutionMode } from '../adapter.ts';
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

/** What a CLI lacks of what is wanted, each as a sentence that says what to do. */
export function lacking(
  type: string,
  { modes }: AdapterDefinition,
  name: ExecutionMode,
  wanted: AgentSettings,
): readonly string[] {
  const mode = modes[name];
  const other: ExecutionMode = name === 'headless' ? 'interactive' : 'headless';
  if (!mode) {
    return [`${type} has no ${name} mode${modes[other] ? `; use ${other}` : ''}.`];
  }
  const { model, maxTurns, maxUsd, resume, permissions } = mode.settings;
  const elsewhere = (has: (of: ModeDefinition) => unknown, setting: string) => {
    const there = modes[other] && has(modes[other]) !== undefined ? `run it ${other}` : 'use another agent';
    return `remove ${setting} or ${there}`;
  };
  const level = wanted.permissions ?? 'edits';
  const levels = Object.keys(permissions ?? {}).map((each) => `"${each}"`);
  return [
    ...(wanted.model !== undefined && !model
      ? [`${type} cannot be told its model; ${elsewhere((of) => of.settings.model, 'model')}.`]
      : []),
    ...(wanted.maxTurns !== undefined && !maxTurns
      ? [`${type} has no turn limit; ${elsewhere((of) => of.settings.maxTurns, 'maxTurns')}.`]
      : []),
    ...(wanted.maxUsd !== undefined && !maxUsd
      ? [`${type} has no money limit of its own; ${elsewhere((of) => of.settings.maxUsd, 'maxUsd')}.`]
      : []),
    ...(wanted.resume !== undefined && !resume
      ? [`${type} cannot continue a conversation; ${elsewhere((of) => of.settings.resume, 'resume')}.`]
      : []),
    ...(permissions !== undefined && permissions[level] === undefined
      ? [
          `${type} cannot run ${name} with permissions "${level}"; use ${levels.join(' or ')}${
            modes[other]?.settings.permissions?.[level] ? `, or run it ${other}` : ''
          }.`,
        ]
      : []),
  ];
}
