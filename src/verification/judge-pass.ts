import { isDocumentationOnly } from './changes/documentation.ts';
import { pathsOf } from './changes/relevant-changes.ts';
import {
  blockingFailure,
  droppedWork,
  flakyIn,
  proves,
  type VerificationReport,
  type VerificationResult,
} from './report.ts';

/** What a pass that came as far as its commands amounts to. Only a command that could have failed is evidence. */
export function judgePass(
  report: VerificationReport,
  rules: { readonly strictExpectedFiles: boolean },
): VerificationReport {
  const { commands, probes, missingFiles } = report;
  const changed = pathsOf(report.changes);
  const conclude = (result: VerificationResult, ...notes: string[]): VerificationReport => ({
    ...report,
    result,
    notes: [...report.notes, ...notes],
  });
  const failure = blockingFailure(report);
  if (failure) return conclude(failure.code === 'denied_command' ? 'denied_command' : 'failed');
  const probe = probes.find(({ result }) => result === 'failed');
  if (probe) return conclude('failed', `The visual probe ${probe.id} failed: ${probe.reason}.`);
  const flaky = flakyIn(report);
  if (flaky.length > 0 && changed.length > 0) {
    const which = flaky.map((command) => `\`${command}\``).join(', ');
    return conclude('unverified', `Red and green on the same files, which proves nothing: ${which}.`);
  }
  const proven = commands.some(proves);
  if (missingFiles.length > 0 && (rules.strictExpectedFiles || !proven)) {
    return conclude('failed', `Expected files are missing: ${missingFiles.join(', ')}.`);
  }
  const lost = droppedWork(report);
  if (changed.length === 0 && lost.length > 0) {
    return conclude(
      'no_change',
      `Not a no-op, because changes were left out as products: ${lost.join(', ')}.`,
    );
  }
  if (changed.length === 0) return conclude(proven ? 'no_op' : 'no_change');
  if (proven) return conclude('verified');
  if (commands.length === 0) return conclude('unverified', 'There was no command that could check it.');
  if (commands.some(({ result }) => result === 'passed')) {
    return conclude('unverified', 'Only commands that can never fail have passed.');
  }
  if (commands.every(({ redBefore }) => redBefore === true)) {
    return conclude('unverified', 'Every check was red before the work began, in the same way.');
  }
  if (isDocumentationOnly(changed)) return conclude('unverified', 'Every command was skipped.');
  return conclude('failed', 'Every command was skipped, so nothing shows that the change is right.');
}
