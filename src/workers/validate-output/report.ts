import type { SyntaxProblem, Unchecked } from '../../verification/syntax/languages.ts';
import type { NewSegment } from '../answer.ts';
import type { Refusal, WriteRequest } from '../file-writer/write-requests.ts';

const MOST_LINES = 50;

interface Found {
  readonly refusals: readonly Refusal[];
  readonly problems: readonly SyntaxProblem[];
  readonly unchecked: readonly Unchecked[];
}

/** Each file, line and problem, for whoever has to correct them. */
export function failText(
  { refusals, problems, unchecked }: Found,
  requests: readonly WriteRequest[],
): string {
  const lines = [
    ...refusals.map(({ problem }) => `- ${problem}`),
    ...problems.map(({ path, line, problem }) => `- ${path}:${line}: ${problem}`),
  ];
  const more = lines.length - MOST_LINES;
  const answered = requests.length > 0 || refusals.length > 0;
  return [
    answered ? 'The files were not written, because they are not valid:' : 'The changed files are not valid:',
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`- and ${more} more`] : []),
    answered ? 'Answer with the complete, corrected content of each of these files.' : 'Correct these files.',
    ...uncheckedLines(unchecked),
  ].join('\n');
}

/** What was looked at and what was not: nobody should take the one for the other. */
export function resultOf({
  checked,
  unchecked,
}: {
  readonly checked: readonly string[];
  readonly unchecked: readonly Unchecked[];
}): NewSegment {
  const good = checked.length === 0 ? [] : [`The syntax is valid: ${shown(checked)}.`];
  return { type: 'VALIDATION_RESULT', content: [...good, ...uncheckedLines(unchecked)].join('\n') };
}

function uncheckedLines(unchecked: readonly Unchecked[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { path, why } of unchecked) reasons.set(why, [...(reasons.get(why) ?? []), path]);
  return [...reasons].map(([why, paths]) => `Not checked, because ${why}: ${shown(paths)}.`);
}

function shown(paths: readonly string[]): string {
  const more = paths.length - MOST_LINES;
  return `${paths.slice(0, MOST_LINES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
