import * as z from 'zod';
import { isRegularExpression } from '../kernel/regular-expression.ts';

export type AutoVerifyMode = 'off' | 'fallback' | 'contract' | 'llm' | 'hybrid';

const MODES: { readonly [word: string]: AutoVerifyMode } = {
  off: 'off',
  disabled: 'off',
  fallback: 'fallback',
  safety: 'fallback',
  contract: 'contract',
  llm: 'llm',
};

/** Every word that is not known means `hybrid`. */
export function readAutoVerifyMode(word: string): AutoVerifyMode {
  return MODES[word.trim().toLowerCase()] ?? 'hybrid';
}

const texts = z.array(z.string());
const regularExpression = z.string().refine(isRegularExpression, 'it is not a regular expression');

const rulesShape = z.object({
  /** WORKER_AUTO_VERIFY_MODE: which commands are added to the task's own. */
  autoVerifyMode: z.string().default('hybrid').transform(readAutoVerifyMode),
  autoVerifyMaxCommands: z.int().min(0).default(4),
  /** How often the model is asked again for a plan that can be read. */
  verifyPlanParseRetries: z.int().min(0).default(2),
  /** WORKER_VERIFY_CONTRACT_PATH, relative to the repository; absent when nobody set it. */
  verifyContractPath: z.string().optional(),
  /** WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT: whether a failed command of the task itself may be repaired. */
  repairExplicit: z.boolean().default(true),
  /** WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT. */
  skipMissingExplicitScript: z.boolean().default(true),
  /** WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND. */
  skipInvalidAutoCommand: z.boolean().default(true),
  /** WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS. */
  autoNonBlockingAfterExplicitPass: z.boolean().default(true),
  /** WORKER_VERIFY_INLINE_COMMAND_RECOVERY. */
  inlineCommandRecovery: z.boolean().default(true),
  /** WORKER_SETUP_IN_PROCESS_RECOVERY: whether what a command lacks is installed. */
  setupRecovery: z.boolean().default(true),
  /** WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES, held between 1 and 8. */
  inlineCommandRecoveryCandidates: z
    .number()
    .default(3)
    .transform((count) => Math.min(8, Math.max(1, Math.trunc(count)))),
  commandTimeoutMs: z
    .number()
    .positive()
    .default(5 * 60_000),
  /** Forbidden besides the built-in list: regular expressions, else plain texts. */
  deniedCommands: texts.default([]),
  /** WORKER_NO_CHANGE_CONFIRM_MODE: whether passing commands make a run without a change a success. */
  noChangeConfirm: z.boolean().default(true),
  /** WORKER_EXTRA_GENERATED_PATHS. */
  extraGeneratedPaths: texts.default([]),
  /** A missing expected file fails the verification even if commands passed. */
  strictExpectedFiles: z.boolean().default(false),
  /** POLICY_RECOVERY_MODE. */
  policyRecoveryMode: z.enum(['conservative', 'balanced', 'aggressive']).default('aggressive'),
  /** WORKER_POLICY_RECOVERY_USE_LLM. */
  policyRecoveryUseModel: z.boolean().default(true),
  /** Undoes every violating change that nothing else settled. */
  policyDiscardAll: z.boolean().default(false),
  /** Besides the built-in ones: which files a command needs. */
  policyCommandRules: z.array(z.object({ pattern: regularExpression, paths: texts })).default([]),
});

/** What a person can set about verification, in one typed object. How often a rung is tried is a limit of the manifest. */
export type VerificationRules = z.output<typeof rulesShape>;
export type VerificationSettings = z.input<typeof rulesShape>;

/** Fills in the defaults; throws a ZodError that names what has the wrong shape. */
export function readRules(settings: unknown): VerificationRules {
  return rulesShape.parse(settings);
}
