import { readContract, type VerifyContract } from './automatic/contract.ts';
import type { ModelPlan } from './automatic/model-plan.ts';
import { type Plan, type PlannedCommand, planCommands } from './automatic/plan-commands.ts';
import { runProbes } from './automatic/visual-probes.ts';
import { type Baseline, redBefore } from './baseline.ts';
import { standIns } from './before-work.ts';
import { generatedHere } from './changes/learned-paths.ts';
import { namedBy } from './changes/named-paths.ts';
import {
  type IsNamed,
  type OwnRules,
  pathsOf,
  relevantChanges,
  without,
} from './changes/relevant-changes.ts';
import { orderCommands } from './commands/order-commands.ts';
import type { ConfiguredCommands } from './commands/project-commands.ts';
import type { RunProgram } from './commands/run-chain.ts';
import { runCommands } from './commands/run-commands.ts';
import { judgePass } from './judge-pass.ts';
import { findViolations, matcher, type PathPolicy } from './policy/violations.ts';
import { blockingFailure, type CommandRecord, type VerificationReport } from './report.ts';
import type { VerificationRules } from './rules.ts';
import { checkedAsItIs } from './seen-tree.ts';
import type { TaskFacts } from './task-facts.ts';
import type { TaskTree } from './task-tree.ts';

export interface PassInput {
  readonly task: TaskFacts;
  readonly rules: VerificationRules;
  /** Paths that recoveries added to the task's own. */
  readonly allowedLater: readonly string[];
  /** A run without a change was accepted: then the commands decide. */
  readonly noChangeAccepted: boolean;
  readonly missingFiles: readonly string[];
  /** What the commands of earlier passes left behind. */
  readonly leftBehind: readonly string[];
  readonly baseline?: Baseline | undefined;
  /** What earlier passes of this task found. */
  readonly earlier?: readonly VerificationReport[];
  readonly model?: ModelPlan;
  /** What is worth knowing about how the pass came about. */
  readonly notes?: readonly string[];
}

export interface PassPorts {
  readonly tree: TaskTree;
  readonly run: RunProgram;
  /** Where its commands look for programs, beside the tools of the tree. */
  readonly search?: string | undefined;
  /** How the project is checked, as a person configured it. */
  readonly commands?: ConfiguredCommands | undefined;
  /** The user's own folder, where the project keeps its lists; in direct mode the tree itself. */
  readonly projectDir?: string | undefined;
}

/** As much as is needed to say what would be run. */
export type PlanPorts = Pick<PassPorts, 'projectDir' | 'commands'> & {
  readonly tree: Pick<TaskTree, 'root'>;
};

/**
 * One pass of the verification. Its order is an invariant: changed files, without what does not count; nothing
 * left; path policy; only then commands, the task's own first. What comes after a finding is not started.
 */
export async function runPass(input: PassInput, ports: PassPorts): Promise<VerificationReport> {
  const { task, rules } = input;
  const ownRules = await ownRulesOf(input, ports);
  const isNamed = namedBy(task);
  const { changes, dropped } = await relevantChanges(ports.tree, ownRules, isNamed);
  const changed = pathsOf(changes);
  const report: VerificationReport = { ...emptyReport(input), changes, dropped };
  if (changed.length === 0 && !input.noChangeAccepted && !task.verifyOnly) return report;
  const policy = policyOf(input);
  const { root, before } = ports.tree;
  const violations = [...findViolations(changed, policy), ...standIns(root, before, ports.search ?? '')];
  if (violations.length > 0) return { ...report, result: 'policy_violation', violations };
  const plan = commandsFor(input, ports, changed);
  if (plan.asksModel) return { ...report, result: 'needs_plan' };
  const check = async (from: VerificationReport): Promise<VerificationReport> => {
    const checked = judgePass(await withChecks(from, input, ports, plan), rules);
    return withLeavings(checked, await relevantChanges(ports.tree, ownRules, isNamed), policy, isNamed);
  };
  return checkedAsItIs(report, ports.tree, check);
}

/**
 * Commands write files too: what they made outside the allowed paths is no work of the task. Where nobody said which
 * paths it may change, no new file of theirs is.
 */
function withLeavings(
  report: VerificationReport,
  { changes, dropped }: Pick<VerificationReport, 'changes' | 'dropped'>,
  policy: PathPolicy,
  isNamed: IsNamed,
): VerificationReport {
  const before = new Set(pathsOf(report.changes));
  const made = pathsOf(changes).filter((path) => !before.has(path));
  const outside = new Set(findViolations(made, policy).map(({ path }) => path));
  const isNew = new Set(policy.allowed.length === 0 ? changes.added : []);
  const leftBehind = made.filter((path) => outside.has(path) || (isNew.has(path) && !isNamed(path)));
  return { ...report, changes: without(changes, (path) => leftBehind.includes(path)), dropped, leftBehind };
}

function policyOf({ task, allowedLater }: PassInput): PathPolicy {
  const allowed = task.allowedPaths.length === 0 ? [] : [...task.allowedPaths, ...allowedLater];
  // Only what the task itself allows is a person's word; recoveries open nothing that is protected.
  const { allowedPaths: opened, commands } = task;
  const protection = { opened, commands, forStranger: task.origin === 'imported' };
  return { allowed, denied: task.deniedPaths, mode: task.mode, protection };
}

/** A list that can be written to hides nothing that the task was forbidden. */
async function ownRulesOf({ task, rules, leftBehind }: PassInput, ports: PassPorts): Promise<OwnRules> {
  const listed = await generatedHere(ports.projectDir, rules.extraGeneratedPaths);
  const denied = matcher(task.deniedPaths);
  const left = new Set(leftBehind);
  return (path) => {
    if (left.has(path)) return 'left_behind';
    return listed(path) && !denied(path) ? 'learned' : undefined;
  };
}

/** What would be run on these changes, without running it. */
export function commandsFor(
  { task, rules, model }: Pick<PassInput, 'task' | 'rules' | 'model'>,
  ports: PlanPorts,
  changed: readonly string[],
): Plan {
  const contract = contractOf(rules, ports);
  const { commands: configured } = ports;
  return planCommands({ task, rules, root: ports.tree.root, changed, contract, configured, model });
}

async function withChecks(
  report: VerificationReport,
  input: PassInput,
  ports: PassPorts,
  plan: { readonly commands: readonly PlannedCommand[]; readonly notes: readonly string[] },
): Promise<VerificationReport> {
  const { rules, baseline } = input;
  const { root } = ports.tree;
  const changed = pathsOf(report.changes);
  const before = await beforeHere(input.earlier ?? [], ports.tree);
  const redLast = new Set(named((input.earlier ?? []).slice(-1), 'failed'));
  const ordered = orderCommands(plan.commands, redLast);
  const commands = await runCommands(
    { commands: ordered, rules, root, changed, baseline, ...before },
    ports.run,
  );
  const notes = [...report.notes, ...plan.notes];
  if (blockingFailure({ ...report, commands })) return { ...report, commands, notes };
  const probes = contractOf(rules, ports).visualProbes;
  const probed = await runProbes({ probes, root, changed, denied: rules.deniedCommands }, ports.run);
  return { ...report, commands, probes: probed, notes };
}

function named(reports: readonly VerificationReport[], wanted: CommandRecord['result']): string[] {
  return reports.flatMap(({ commands }) =>
    commands.flatMap(({ command, result }) => (result === wanted ? [command] : [])),
  );
}

/** What earlier passes know of the commands: red on these very files, or flaky on any. */
async function beforeHere(earlier: readonly VerificationReport[], tree: TaskTree) {
  const reds = earlier.filter(({ commands }) => commands.some(({ result }) => result === 'failed'));
  const now = reds.length === 0 ? undefined : await tree.identity();
  const here = reds.filter((report) => report.tree !== undefined && report.tree === now);
  const flaky = new Set(named(earlier, 'flaky'));
  return { flaky, redHere: new Set(named(here, 'failed').filter((command) => !flaky.has(command))) };
}

/** The contract counts in the modes that name it, and only the person's own: the tree is the agent's to write. */
function contractOf(rules: VerificationRules, ports: PlanPorts): VerifyContract {
  const asked = rules.autoVerifyMode !== 'off' && rules.autoVerifyMode !== 'llm';
  return readContract(asked ? (ports.projectDir ?? ports.tree.root) : undefined, rules.verifyContractPath);
}

function emptyReport({ baseline, missingFiles, notes = [] }: PassInput): VerificationReport {
  return {
    result: 'no_change',
    changes: { changed: [], added: [], removed: [] },
    dropped: [],
    leftBehind: [],
    violations: [],
    commands: [],
    probes: [],
    missingFiles,
    redBefore: baseline ? redBefore(baseline).map(({ name }) => name) : [],
    notes: [...notes],
  };
}
