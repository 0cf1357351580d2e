import { isJsonObject } from '../../kernel/json.ts';
import { runsInWords } from '../../verification/flaky.ts';
import type { TestEvidence } from '../../verification/proof/evidence.ts';
import {
  type CommandRecord,
  droppedWork,
  proves,
  type VerificationReport,
} from '../../verification/report.ts';
import { suspiciousLine } from '../../verification/suspicious/segment.ts';

/** What was verified, skipped and recovered, one line each: for a commit, a pull request and a person. */
export function evidenceLines(report: VerificationReport): string[] {
  const proven = report.commands.some(proves);
  return [
    ...(proven ? [] : ['unverified: no command passed that could have failed']),
    ...report.commands.map(commandLine),
    ...droppedLines(report),
    ...report.redBefore.map((name) => `red before the work began: ${name}`),
    ...report.missingFiles.map((path) => `expected, but not there: ${path}`),
    ...report.notes,
  ];
}

const MOST_TESTS = 5;

/** What was found out about the checks themselves, one line each; the marks of a person to answer come first. */
export function inspectionLines({ found, runs, redToGreen, notes }: TestEvidence): string[] {
  const marks = [...found].sort((a, b) => Number(b.weight === 'hard') - Number(a.weight === 'hard'));
  const shown = redToGreen.slice(0, MOST_TESTS).map(({ test }) => `"${test}"`);
  const more = redToGreen.length - shown.length;
  return [
    ...marks.map((mark) => `${mark.weight === 'hard' ? '!' : 'note:'} ${suspiciousLine(mark)}`),
    ...runs.flatMap(({ on, tree, command, green, tests }) =>
      on === 'delivered' || on === 'old tests on new code'
        ? [`${PLACES[on](tree)}: ${green ? 'green' : 'red'}, ${command}, ${tests}`]
        : [],
    ),
    ...(shown.length === 0
      ? []
      : [`red without the change, green with it: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...notes,
  ];
}

const PLACES = {
  delivered: (tree: string) => `a fresh checkout of the delivered tree ${tree.slice(0, 12)}`,
  'old tests on new code': () => 'old tests on new code',
} as const;

/** What a session kept of its inspection; one of an earlier version, or none, says nothing. */
export function inspectionIn(content: unknown): TestEvidence | undefined {
  if (!isJsonObject(content) || !Array.isArray(content['found'])) return undefined;
  return content as unknown as TestEvidence;
}

function commandLine(record: CommandRecord): string {
  const { command, result, durationMs, exitCode, reason, recoveredBy, neverFails, from, runs } = record;
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (result === 'passed')
    return neverFails
      ? `passed, but proves nothing (${neverFails}): ${command}`
      : `passed: ${command} (${seconds}${from === 'model' ? ', proposed by a model' : ''}${runs ? `, runs: ${runsInWords(runs)}` : ''})`;
  if (result === 'recovered')
    return `passed in another form: ${command} -> ${(recoveredBy ?? []).join(', ')}`;
  if (result === 'flaky') return `flaky: ${command} (${reason ?? 'red and green on the same files'})`;
  if (result === 'skipped') return `skipped: ${command}${reason === undefined ? '' : ` (${reason})`}`;
  return `failed: ${command}${exitCode === null ? '' : ` (exit code ${exitCode})`}`;
}

const MOST_DROPPED = 20;

/** What the agent changed and nobody gets: a reader must be able to see that it is missing. */
function droppedLines(report: VerificationReport): string[] {
  const lost = droppedWork(report);
  const more = lost.length - MOST_DROPPED;
  return [
    ...lost.slice(0, MOST_DROPPED).map((path) => `left out as a product: ${path}`),
    ...(more > 0 ? [`left out as products: ${more} more`] : []),
  ];
}
