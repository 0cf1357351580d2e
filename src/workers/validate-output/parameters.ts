import picomatch from 'picomatch';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { WRITE_TYPES } from '../file-writer/write-requests.ts';
import { unknownParameters } from '../parameters.ts';

const KNOWN = ['segment_types', 'skip'];

export function parameterProblems(parameters: JsonObject): string[] {
  return [
    ...unknownParameters(parameters, KNOWN),
    ...KNOWN.filter((name) => !isTexts(parameters[name] ?? [])).map(
      (name) => `"${name}" must be a list of texts.`,
    ),
  ];
}

export function readParameters(parameters: JsonObject):
  | {
      readonly types: readonly string[];
      /** Files whose syntax is nobody's business, such as ones that are broken on purpose. */
      readonly skips: (path: string) => boolean;
    }
  | undefined {
  const { segment_types: types = WRITE_TYPES, skip = [] } = parameters;
  if (!isTexts(types) || !isTexts(skip)) return undefined;
  return { types, skips: skip.length === 0 ? () => false : picomatch([...skip], { dot: true }) };
}

function isTexts(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
