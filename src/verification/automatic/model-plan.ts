import { isJsonObject, type JsonValue } from '../../kernel/json.ts';
import { wholeJson } from '../../manifest/output/whole-json.ts';

/**
 * What a model would run to show that a change is right. `ask`: it can be asked and has not answered yet;
 * undefined: there is nobody to ask.
 */
export type ModelPlan = readonly string[] | 'ask' | undefined;

/** The commands that an answer names; undefined when it cannot be read. */
export function readPlan(text: string): string[] | undefined {
  const value = wholeJson(text);
  const list = isJsonObject(value) ? value.commands : value;
  return isTexts(list)
    ? list.map((command) => command.trim()).filter((command) => command !== '')
    : undefined;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
