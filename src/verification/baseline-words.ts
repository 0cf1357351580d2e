import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import type { Baseline, BaselineResult } from './baseline.ts';

/** How the checks ended before anybody changed anything, with what the red ones printed; undefined: it is none. */
export function baselineWords(content: JsonValue): string | undefined {
  if (!isJsonObject(content) || !Array.isArray(content['checks'])) return undefined;
  const { checks } = content as Baseline;
  return checks.map(checkWords).join('\n\n');
}

function checkWords({ name, command, color, end, flaky, output, log }: BaselineResult): string {
  const what = `${name} (\`${command.join(' ')}\`)`;
  if (color === 'green') return `${what} was green.`;
  const how = flaky ? `was red (${end}), then green on the same files` : `was red: it ${end}`;
  return output === undefined || output === ''
    ? `${what} ${how}.`
    : `${what} ${how}. It printed (all of it is in ${log}):\n${output}`;
}
