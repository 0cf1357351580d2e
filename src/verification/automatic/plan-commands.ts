import { detectCommands } from '../../config/detect.ts';
import { tokenize } from '../command-line.ts';
import { readChain } from '../commands/read-chain.ts';
import type { CommandOrigin, CommandSource } from '../report.ts';
import type { VerificationRules } from '../rules.ts';
import type { TaskFacts } from '../task-facts.ts';
import { contractCommands, type VerifyContract } from './contract.ts';
import { unknownMakeTargets } from './make-targets.ts';
import { askForPlan, type Decide } from './model-plan.ts';
import { objectionOfRole } from './role-rules.ts';

export interface PlannedCommand {
  readonly command: string;
  readonly source: CommandSource;
  readonly from: CommandOrigin;
  /** Why it is listed without being run. */
  readonly objection?: string;
}

export interface PlanInput {
  readonly task: TaskFacts;
  readonly rules: VerificationRules;
  readonly root: string;
  readonly changed: readonly string[];
  readonly contract: VerifyContract;
  readonly decide?: Decide | undefined;
}

/** The task's own commands in their order, then those that the mode adds. */
export async function planCommands(input: PlanInput): Promise<PlannedCommand[]> {
  const explicit = input.task.commands.map((command) => planned(input, command, 'explicit', 'task'));
  const automatic = await automaticCommands(input);
  return [...explicit, ...automatic];
}

async function automaticCommands(input: PlanInput): Promise<PlannedCommand[]> {
  const { task, rules, contract } = input;
  const mode = rules.autoVerifyMode;
  if (mode === 'off') return [];
  const chosen = new Choice(input);
  if (mode !== 'llm') chosen.add(contractCommands(contract, task.role, input.changed), 'contract');
  if ((mode === 'llm' || mode === 'hybrid') && input.decide && !chosen.full) {
    chosen.add(await modelCommands(input, input.decide), 'model');
  }
  const alone = task.commands.length === 0 && chosen.commands.length === 0;
  if (alone && (mode === 'fallback' || mode === 'hybrid')) chosen.add(projectCommands(input.root), 'project');
  return chosen.commands;
}

/** Automatic commands in the order they are offered: each once, at most so many, none that could not be run. */
class Choice {
  readonly commands: PlannedCommand[] = [];
  readonly #input: PlanInput;
  readonly #seen: Set<string>;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#seen = new Set(input.task.commands.map(normal));
  }

  get full(): boolean {
    return this.commands.length >= this.#input.rules.autoVerifyMaxCommands;
  }

  add(offered: readonly string[], from: CommandOrigin): void {
    const { rules, root } = this.#input;
    for (const command of offered) {
      if (this.full) return;
      const key = normal(command);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      if (!readChain(command, rules.deniedCommands).ok) continue;
      if (unknownMakeTargets(command, root).length > 0) continue;
      this.commands.push(planned(this.#input, command, 'automatic', from));
    }
  }
}

function planned(
  { task }: PlanInput,
  command: string,
  source: CommandSource,
  from: CommandOrigin,
): PlannedCommand {
  const objection = objectionOfRole(task, command, source);
  return { command, source, from, ...(objection === undefined ? {} : { objection }) };
}

function modelCommands({ task, changed, root, rules }: PlanInput, decide: Decide): Promise<string[]> {
  const { autoVerifyMaxCommands: most, verifyPlanParseRetries: retries, verifyPlanTimeoutMs } = rules;
  return askForPlan(decide, { task, changed, root, most, retries, timeoutMs: verifyPlanTimeoutMs });
}

/** What the project itself calls its checks. */
function projectCommands(root: string): string[] {
  const { test, lint, build } = detectCommands(root);
  return [test, lint, build].flatMap((found) => {
    const text = found?.command.join(' ');
    return text !== undefined && tokenize(text).ok ? [text] : [];
  });
}

function normal(command: string): string {
  return command.trim().replaceAll(/\s+/g, ' ');
}
