import { runsInWords } from '../../verification/flaky.ts';
import {
  type CommandRecord,
  droppedWork,
  proves,
  type VerificationReport,
} from '../../verification/report.ts';

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
