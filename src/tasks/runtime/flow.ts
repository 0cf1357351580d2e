import type { Claim } from '../../backlog/scheduler.ts';
import type { Task } from '../../backlog/task.ts';
import { commandRule } from '../../config/runtime/kind.ts';
import type { RuntimeConfig } from '../../config/runtime/load.ts';
import type { RuntimeSettings } from '../../config/runtime/settings.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { type TaskOrigin, TESTS_MAY_CHANGE } from '../../kernel/runtime-words.ts';
import type { ManifestBody, RosterDefinition } from '../../manifest/definition.ts';
import type { VerificationSettings } from '../../verification/rules.ts';

const SHORTEST_MINUTES = 1;
/** Of a step of a worker, where nobody says less. */
export const LONGEST_MINUTES = 30;

/**
 * What a claimed task is run with: the flow of its kind, played by the agents of this runtime. A worker that
 * says no time of its own has the time of the task. How often a block runs is stated in the flow itself.
 */
export function flowFor(
  document: ManifestBody,
  { task, agents }: Pick<Claim, 'task' | 'agents'>,
  settings: RuntimeSettings,
): ManifestBody {
  const model = settings.models[task.role];
  const roster = Object.entries(document.workers ?? {}).map(([name, entry]): [string, RosterDefinition] => [
    name,
    {
      minutes: timebox(task),
      ...entry,
      agents: [...agents],
      ...(model === undefined ? {} : { model }),
    },
  ]);
  return {
    ...document,
    workers: Object.fromEntries(roster),
    ...(task.budget ? { budget: { ...document.budget, ...task.budget } } : {}),
  };
}

/** At least a minute, at most half an hour, as long as the task itself does not say more about it. */
function timebox({ timeboxMinutes }: Task): number {
  return Math.min(LONGEST_MINUTES, Math.max(SHORTEST_MINUTES, timeboxMinutes ?? LONGEST_MINUTES));
}

/** What the flow gets to know about its task; facts only, so that its text cannot become an instruction of ours. */
export function inputsFor(
  { task }: Pick<Claim, 'task'>,
  config: RuntimeConfig,
  mode: string,
  instructions: string,
): JsonObject {
  const context = isJsonObject(task.context) ? task.context : {};
  return {
    instructions,
    rules: rulesOf(config, task.origin),
    task: {
      id: task.id,
      title: task.title,
      goal: task.goal,
      origin: task.origin,
      role: task.role,
      mode,
      allowedPaths: task.allowedPaths,
      deniedPaths: task.deniedPaths,
      expectedFiles: task.expectedFiles,
      commands: task.commands,
      verifyOnly: context['verifyOnly'] === true,
      redGreen: context['redGreen'] === true,
      // Text that came from elsewhere lifts no check.
      testsMayChange: context['tests'] === TESTS_MAY_CHANGE && task.origin !== 'imported',
    },
  };
}

/** The settings as verification knows them. */
export function rulesOf(
  { values: { verify, policy }, all }: RuntimeConfig,
  origin: TaskOrigin,
): VerificationSettings {
  const isSet = (key: string) =>
    all.some(({ setting, source }) => setting.key === key && source !== 'default');
  return {
    autoVerifyMode: verify.automatic,
    autoVerifyMaxCommands: verify.automaticMost,
    ...(isSet('verify.contract') ? { verifyContractPath: verify.contract } : {}),
    commandTimeoutMs: verify.seconds * 1000,
    repairExplicit: verify.repairExplicit,
    skipMissingExplicitScript: verify.skipMissingScript,
    skipInvalidAutoCommand: verify.skipInvalidAutomatic,
    autoNonBlockingAfterExplicitPass: verify.automaticNonBlocking,
    inlineCommandRecovery: verify.inlineRecovery,
    setupRecovery: verify.setupRecovery,
    inlineCommandRecoveryCandidates: verify.inlineCandidates,
    noChangeConfirm: !NOT_CONFIRMED.has(verify.noChangeConfirm.toLowerCase()),
    strictExpectedFiles: verify.strictFiles,
    extraGeneratedPaths: [...verify.generated],
    // Text of strangers gets the narrowest rules, unless somebody chose others.
    policyRecoveryMode: origin === 'imported' && !isSet('policy.mode') ? 'conservative' : policy.mode,
    policyRecoveryUseModel: policy.askModel,
    deniedCommands: [...policy.deniedCommands],
    policyDiscardAll: policy.discardAll,
    policyCommandRules: policy.commandRules.flatMap((rule) => commandRule(rule) ?? []),
  };
}

/** Words that mean that a run without a change is never a success. */
const NOT_CONFIRMED = new Set(['off', 'false', 'strict', 'disabled', 'none']);
