import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { type FoundPlaceholder, findPlaceholders, isLate, valueIn } from '../placeholders.ts';
import { inside, type ProblemReport, quote } from '../problem.ts';
import { RUN_STAGE } from '../stages/definition.ts';
import type { DraftBlock } from './draft.ts';

const FORMS = '{{goal}}, {{inputs.<name>}} or {{config.<key>}}';

/** Reports placeholders that could never be filled in. Without a configuration its keys are not checked. */
export function checkPlaceholders(
  block: DraftBlock,
  config: JsonObject | undefined,
  report: ProblemReport,
): void {
  const { instructions = '', with: parameters = {} } = block.fields;
  for (const field of ['instructions', 'with'] as const) {
    for (const found of findPlaceholders(field === 'with' ? parameters : instructions)) {
      if (isLate(found.root) && field === 'with' && block.fields.worker === RUN_STAGE) continue;
      const wrong = wrongPlaceholder(found, config);
      if (wrong) report.error(inside(block.place, field, ...found.at), wrong);
    }
  }
}

/** What is wrong with a placeholder; nothing, if it can be filled in. */
export function wrongPlaceholder(
  { text, root, keys }: FoundPlaceholder,
  config: JsonObject | undefined,
): string | undefined {
  const complete = keys.length > 0 && keys.every((key) => key !== '');
  if (root === 'goal' && keys.length === 0) return undefined;
  if (root === 'inputs' && complete) return undefined;
  if (root === 'config' && complete) {
    if (!config || valueIn(config, keys) !== undefined) return undefined;
    return `${text} names a configuration key that does not exist.${didYouMean(keys.join('.'), keysOf(config))}`;
  }
  const known = ['goal', 'inputs', 'config'];
  const hint = known.includes(root) ? '' : didYouMean(root, known);
  return `${quote(text)} is not a placeholder; write ${FORMS}, or \\{{ for braces that stay.${hint}`;
}

function keysOf(config: JsonObject, prefix = ''): string[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    return isJsonObject(value) ? [path, ...keysOf(value, `${path}.`)] : [path];
  });
}
