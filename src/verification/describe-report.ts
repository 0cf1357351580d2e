import { blockingFailure, type CommandRecord, type VerificationReport } from './report.ts';

/** What a pass that did not succeed found, for an agent that repairs it and for people. */
export function describeFailure(report: VerificationReport): string {
  if (report.result === 'needs_plan') return 'A model was to be asked for the commands that check it.';
  if (report.result === 'no_change') return 'Nothing was changed.';
  if (report.result === 'policy_violation') {
    const lines = report.violations.map(({ path, why }) => `- ${path} (${REASONS[why]})`);
    return `Files were changed that the task may not touch:\n${lines.join('\n')}`;
  }
  const failure = blockingFailure(report);
  const parts = failure ? [describeCommand(failure)] : [];
  return [...parts, ...report.notes].join('\n');
}

const REASONS = { denied: 'it is denied', outside: 'it is outside the allowed paths' } as const;

function describeCommand(record: CommandRecord): string {
  const { command, source, reason, redBefore, errorEnd } = record;
  const whose = source === 'explicit' ? "the task's own command" : 'an automatic check';
  const lines = [`\`${command}\` (${whose}) failed: ${reason ?? 'no reason is known'}.`];
  if (redBefore) lines.push('It failed in the same way before the work began.');
  if (errorEnd !== undefined) lines.push(`The end of its output:\n${errorEnd.trim()}`);
  return lines.join('\n');
}
