import { isDocumentationOnly } from '../changes/documentation.ts';
import { scriptNamed } from '../commands/empty-script.ts';
import {
  COMMAND_KINDS,
  type CommandKind,
  type ConfiguredCommands,
  type ProjectCommand,
  projectCommands,
} from '../commands/project-commands.ts';
import { readChain } from '../commands/read-chain.ts';
import type { CommandOrigin, CommandSource } from '../report.ts';
import type { VerificationRules } from '../rules.ts';
import type { TaskFacts } from '../task-facts.ts';
import { contractCommands, type VerifyContract } from './contract.ts';
import { unknownMakeTargets } from './make-targets.ts';
import type { ModelPlan } from './model-plan.ts';
import { whyNotProposed } from './proposed-command.ts';

export interface PlannedCommand {
  readonly command: string;
  readonly source: CommandSource;
  readonly from: CommandOrigin;
  /** Of a command of the project: what it is for. */
  readonly kind?: CommandKind;
  /** What is started, where it is not simply read from the line. */
  readonly words?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  /** Why it is listed without being run. */
  readonly objection?: string;
}

export interface PlanInput {
  readonly task: TaskFacts;
  readonly rules: VerificationRules;
  readonly root: string;
  readonly changed: readonly string[];
  readonly contract: VerifyContract;
  /** What a person configured: it is what is run, never a script of the project beside it or in its place. */
  readonly configured?: ConfiguredCommands | undefined;
  readonly model?: ModelPlan;
}

export interface Plan {
  readonly commands: readonly PlannedCommand[];
  /** A model has a say here, and has not been asked. */
  readonly asksModel: boolean;
  /** What a model proposed and is not run, each with its reason. */
  readonly notes: readonly string[];
}

/** The task's own commands in their order, then those that the mode adds. */
export function planCommands(input: PlanInput): Plan {
  const explicit = input.task.commands.map((command) => planned(input, command, 'explicit', 'task'));
  const { rules, task, changed, contract } = input;
  const mode = rules.autoVerifyMode;
  const chosen = new Choice(input);
  if (mode === 'off') return { commands: explicit, asksModel: false, notes: [] };
  if (mode !== 'llm') chosen.add(contractCommands(contract, task.role, changed), 'contract');
  const isAlone = () => explicit.length === 0 && chosen.commands.length === 0;
  if (isAlone() && (mode === 'fallback' || mode === 'hybrid'))
    chosen.addOwn(projectCommands({ configured: input.configured, tree: input.root }));
  // A model comes where rules end: with `hybrid` only when nobody else names a command for a change of code.
  const isForModel = mode === 'llm' || (mode === 'hybrid' && isAlone() && !isDocumentationOnly(changed));
  const { model } = input;
  if (isForModel && model !== undefined && model !== 'ask') chosen.add(model, 'model');
  const { commands, notes } = chosen;
  return { commands: [...explicit, ...commands], asksModel: isForModel && model === 'ask', notes };
}

/** Automatic commands in the order they are offered: each once, at most so many, none that could not be run. */
class Choice {
  readonly commands: PlannedCommand[] = [];
  readonly notes: string[] = [];
  readonly #input: PlanInput;
  readonly #seen: Set<string>;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#seen = new Set(input.task.commands.map(normal));
  }

  /** What a person configured is run as it is written, also where that cannot be: it then fails and says why. */
  addOwn(commands: readonly ProjectCommand[]): void {
    for (const { kind, source, line, read } of commands) {
      if (source !== 'configured') this.#addOne(line, 'project', kind);
      else if (this.#isNew(line)) {
        const plan = { ...planned(this.#input, line, 'automatic', 'configured'), kind };
        this.commands.push(read.ok ? { ...plan, words: read.argv, env: read.env } : plan);
      }
    }
  }

  add(offered: readonly string[], from: CommandOrigin): void {
    for (const command of offered) {
      const own = this.#configuredFor(command);
      if (own) this.addOwn([own]);
      else this.#addOne(command, from);
    }
  }

  #isNew(command: string): boolean {
    const key = normal(command);
    if (this.commands.length >= this.#input.rules.autoVerifyMaxCommands || this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  /** What a person configured in place of the script that a command runs. */
  #configuredFor(command: string): ProjectCommand | undefined {
    const { configured, root } = this.#input;
    const script = scriptNamed(command.trim().split(/\s+/));
    const kind = COMMAND_KINDS.find((each) => each === script);
    if (kind === undefined || configured?.[kind] === undefined) return undefined;
    return projectCommands({ configured, tree: root }).find((each) => each.kind === kind);
  }

  #addOne(command: string, from: CommandOrigin, kind?: CommandKind): void {
    if (!this.#isNew(command)) return;
    const problem =
      this.#problemOf(command) ?? (from === 'model' ? this.#proposalProblem(command) : undefined);
    const of = kind === undefined ? {} : { kind };
    if (problem === undefined)
      this.commands.push({ ...planned(this.#input, command, 'automatic', from), ...of });
    else if (from === 'model')
      this.notes.push(`a model proposed \`${command}\`, which is not run: ${problem}`);
  }

  /** A model's word starts no program that could do harm. */
  #proposalProblem(command: string): string | undefined {
    return whyNotProposed(command, this.#input.root);
  }

  #problemOf(command: string): string | undefined {
    const { rules, root } = this.#input;
    const chain = readChain(command, rules.deniedCommands);
    if (!chain.ok) return chain.reason;
    const unknown = unknownMakeTargets(command, root);
    return unknown.length > 0 ? `there is no make target ${unknown.join(', ')}` : undefined;
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

function normal(command: string): string {
  return command.trim().replaceAll(/\s+/g, ' ');
}

const CHECK_SCRIPT = /^(?:npm|pnpm|yarn|bun)(?:\s+run)?\s+(?:[\w.-]+:)*check(?:[:\w.-]*)?(?:\s|$)/;
const WATCHES = /(?:^|\s)(?:--watch(?:All)?(?:=(?!false)\S*)?|-w|watch)(?:\s|$)/;
const END_TO_END = /\be2e\b|end[- ]to[- ]end|\bplaywright\b|\bcypress\b/i;

/** Why the role of a task keeps a command from being run, or undefined. */
function objectionOfRole(
  task: TaskFacts,
  command: string,
  source: 'explicit' | 'automatic',
): string | undefined {
  if (task.role === 'docser' && !CHECK_SCRIPT.test(command.trim())) {
    return 'documentation is only held against the check scripts of the package manager';
  }
  if (task.role !== 'tester') return undefined;
  if (WATCHES.test(command)) return 'watch mode never ends';
  if (source === 'automatic' && END_TO_END.test(command) && !END_TO_END.test(`${task.title} ${task.goal}`)) {
    return 'end-to-end tests run only where the task asks for them';
  }
  return undefined;
}
