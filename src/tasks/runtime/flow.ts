import type { RuntimeConfig } from '../../config/runtime/load.ts';
import { type RuntimeSettings, valuesOf } from '../../config/runtime/settings.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { ManifestBody, RosterEntry } from '../../manifest/definition.ts';
import type { VerificationSettings } from '../../verification/rules.ts';
import type { Task } from '../backlog/task.ts';
import type { Claim } from '../scheduler/scheduler.ts';

const SHORTEST_MINUTES = 1;
const LONGEST_MINUTES = 30;

/** What a claimed task is run with: the flow of its kind, with the agents and limits of this runtime in it. */
export function flowFor(
  document: ManifestBody,
  claim: Claim,
  config: RuntimeConfig,
  settings: RuntimeSettings,
): ManifestBody {
  const { task, agents } = claim;
  const model = settings.models[task.role];
  const player: RosterEntry = {
    agents: [...agents],
    ...(model === undefined ? {} : { model }),
    minutes: timebox(task),
  };
  const value = valuesOf(config);
  const judgeMinutes = Number(value('policy.seconds')) / 60;
  const roster = Object.entries(document.workers ?? {}).map(([name, entry]): [string, RosterEntry] => {
    const minutes =
      name === 'PolicyJudge' ? judgeMinutes : name === 'CheckPlanner' ? entry.minutes : undefined;
    return [name, { ...entry, ...player, ...(minutes === undefined ? {} : { minutes }) }];
  });
  return {
    ...document,
    workers: Object.fromEntries(roster),
    ...(task.budget ? { budget: { ...document.budget, ...task.budget } } : {}),
    nodes: withVisits(document.nodes, {
      NoChange__Retry: Number(value('verify.noChangeRetries')),
      Repair__Fix: Number(value('verify.repairs')),
      PathPolicy__AskJudge: Number(value('policy.attempts')),
      Research__Ask: settings.research.reasks + 1,
    }),
  };
}

/** At least a minute, at most half an hour, as long as the task itself does not say more about it. */
function timebox({ timeboxMinutes }: Task): number {
  return Math.min(LONGEST_MINUTES, Math.max(SHORTEST_MINUTES, timeboxMinutes ?? LONGEST_MINUTES));
}

function withVisits(
  nodes: ManifestBody['nodes'],
  limits: { readonly [block: string]: number },
): ManifestBody['nodes'] {
  const changed = Object.entries(nodes).map(([id, node]) => {
    const blocks = Object.entries(node.blocks).map(([name, block]) => {
      const visits = limits[`${id}__${name}`];
      return [
        name,
        visits === undefined ? block : { ...block, limits: { ...block.limits, visits } },
      ] as const;
    });
    return [id, { ...node, blocks: Object.fromEntries(blocks) }] as const;
  });
  return Object.fromEntries(changed);
}

/** What the flow is told about its task; facts only, so that its text cannot become an instruction of ours. */
export function inputsFor(
  claim: Claim,
  config: RuntimeConfig,
  mode: string,
  instructions: string,
): JsonObject {
  const { task } = claim;
  const context = isJsonObject(task.context) ? task.context : {};
  return {
    instructions,
    rules: rulesOf(config),
    task: {
      id: task.id,
      title: task.title,
      goal: task.goal,
      role: task.role,
      mode,
      allowedPaths: task.allowedPaths,
      deniedPaths: task.deniedPaths,
      expectedFiles: task.expectedFiles,
      commands: task.commands,
      verifyOnly: context['verifyOnly'] === true,
    },
  };
}

/** The variables of section A.12 as verification knows them. */
function rulesOf(config: RuntimeConfig): VerificationSettings {
  const value = valuesOf(config);
  const on = (key: string) => value(key) === true || value(key) === 'true';
  const isSet = (key: string) =>
    config.all.some(({ setting, source }) => setting.key === key && source !== 'default');
  const off = ['off', 'false', 'strict', 'disabled', 'none'];
  return {
    autoVerifyMode: String(value('verify.automatic')),
    autoVerifyMaxCommands: Number(value('verify.automaticMost')),
    ...(isSet('verify.contract') ? { verifyContractPath: String(value('verify.contract')) } : {}),
    commandTimeoutMs: Number(value('verify.seconds')) * 1000,
    repairExplicit: on('verify.repairExplicit'),
    skipMissingExplicitScript: on('verify.skipMissingScript'),
    skipInvalidAutoCommand: on('verify.skipInvalidAutomatic'),
    autoNonBlockingAfterExplicitPass: on('verify.automaticNonBlocking'),
    inlineCommandRecovery: on('verify.inlineRecovery'),
    inlineCommandRecoveryCandidates: Number(value('verify.inlineCandidates')),
    noChangeConfirm: !off.includes(String(value('verify.noChangeConfirm')).toLowerCase()),
    strictExpectedFiles: on('verify.strictFiles'),
    extraGeneratedPaths: [...(value('verify.generated') as readonly string[])],
    policyRecoveryMode: value('policy.mode') as 'conservative' | 'balanced' | 'aggressive',
    policyRecoveryUseModel: on('policy.askModel'),
    deniedCommands: [...(value('policy.deniedCommands') as readonly string[])],
  };
}
