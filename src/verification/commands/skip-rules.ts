import { isDocumentationOnly } from '../changes/documentation.ts';
import { type CommandOrigin, type CommandRecord, type CommandSource, proves } from '../report.ts';
import type { VerificationRules } from '../rules.ts';
import type { FailureCode } from './failure-code.ts';

/** Failures that say nothing about the change: there was nothing that could have been checked. */
const NOT_A_CHECK: ReadonlySet<FailureCode> = new Set([
  'missing_script',
  'missing_make_target',
  'no_test_files',
  'unsupported_format',
]);

const RECURSIVE =
  /^(?:pnpm|npm|yarn|bun)\b.*(?:\s-r\b|\s--recursive\b|\s--workspaces\b|\s-ws\b|\sworkspaces\s)|^(?:npx\s+|pnpm\s+(?:exec\s+)?|yarn\s+)?(?:(?:turbo|lerna)\s+run|nx\s+(?:run-many|affected))\b/;
/** It names the packages it is for. */
const CHOSEN = /\s(?:--filter|-F|--scope|--workspace|-w|--projects?|-p)(?:[=\s]|$)/;

/** A command for every package of a workspace. */
export function isRecursive(command: string): boolean {
  const line = command.trim();
  return RECURSIVE.test(line) && !CHOSEN.test(line);
}

export interface FailedCommand {
  readonly command: string;
  readonly source: CommandSource;
  readonly from: CommandOrigin;
  readonly code: FailureCode;
  /** Failed in the same way before the work began. */
  readonly redBefore: boolean;
}

export interface Surroundings {
  readonly rules: VerificationRules;
  readonly before: readonly CommandRecord[];
  /** How many commands are still to come. */
  readonly following: number;
  readonly changed: readonly string[];
}

export type Leniency = { readonly as: 'skipped' | 'not-blocking'; readonly reason: string };

/** Why a failure does not stop the verification, or undefined: then it does. */
export function leniencyFor(failed: FailedCommand, around: Surroundings): Leniency | undefined {
  if (failed.code === 'denied_command') return undefined;
  return failed.source === 'explicit' ? forExplicit(failed, around) : forAutomatic(failed, around);
}

function forExplicit({ command, code }: FailedCommand, around: Surroundings): Leniency | undefined {
  if (!around.rules.skipMissingExplicitScript || !NOT_A_CHECK.has(code)) return undefined;
  const passed = around.before.some(proves);
  if (around.following > 0) return skipped('more commands follow');
  if (isDocumentationOnly(around.changed)) return skipped('no code was changed');
  if (passed && code === 'unsupported_format') return skipped('an earlier command passed');
  if (passed && isRecursive(command)) return skipped('an earlier command passed');
  return undefined;
}

function forAutomatic({ code, from, redBefore }: FailedCommand, around: Surroundings): Leniency | undefined {
  const { rules, before, following, changed } = around;
  // A person wrote down what is to be run: that it cannot be is something they must see.
  if (rules.skipInvalidAutoCommand && from !== 'configured' && NOT_A_CHECK.has(code)) {
    if (following > 0) return skipped('more commands follow');
    if (before.some(proves)) return skipped('an earlier command passed');
    if (isDocumentationOnly(changed)) return skipped('no code was changed');
  }
  if (redBefore) return skipped('it failed in the same way before the work began');
  const explicitPass = before.some((record) => record.source === 'explicit' && proves(record));
  if (rules.autoNonBlockingAfterExplicitPass && explicitPass) {
    return { as: 'not-blocking', reason: "the task's own commands passed" };
  }
  return undefined;
}

function skipped(reason: string): Leniency {
  return { as: 'skipped', reason };
}
