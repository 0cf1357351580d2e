import { relative } from 'node:path';
import type { PlannedCommand } from '../automatic/plan-commands.ts';
import { type Baseline, baselineOfCommand, redBefore } from '../baseline.ts';
import { runsInWords, settleRuns } from '../flaky.ts';
import type { CommandRecord, CommandSource } from '../report.ts';
import type { VerificationRules } from '../rules.ts';
import { NO_TEST, provesNothing, wordsProveNothing } from './proves-nothing.ts';
import { replacementsFor, saysOutdated } from './replacements.ts';
import { type ChainEnd, type ChainFailure, type RunProgram, runChain } from './run-chain.ts';
import { leniencyFor } from './skip-rules.ts';

const END_OF_OUTPUT = 4000;

export interface CommandsInput {
  readonly commands: readonly PlannedCommand[];
  readonly rules: VerificationRules;
  readonly root: string;
  readonly changed: readonly string[];
  readonly baseline?: Baseline | undefined;
  /** Commands that were red on these very files, and those that were found to be flaky, in earlier passes. */
  readonly redHere?: ReadonlySet<string> | undefined;
  readonly flaky?: ReadonlySet<string> | undefined;
}

/** Runs the commands in their order and stops at the first failure that nothing excuses. */
export async function runCommands(input: CommandsInput, run: RunProgram): Promise<CommandRecord[]> {
  const list = new CommandList(input, run);
  for (const [index, planned] of input.commands.entries()) {
    const record = await list.next(planned, input.commands.slice(index + 1));
    if (record.result === 'failed' && record.blocking) break;
  }
  return list.records;
}

class CommandList {
  readonly records: CommandRecord[] = [];
  readonly #input: CommandsInput;
  readonly #run: RunProgram;
  /** A lone `cd` holds for what follows from the same source. */
  readonly #cwd = new Map<CommandSource, string>();
  #before: string | undefined;

  constructor(input: CommandsInput, run: RunProgram) {
    this.#input = input;
    this.#run = run;
  }

  async next(planned: PlannedCommand, following: readonly PlannedCommand[]): Promise<CommandRecord> {
    const record = await this.#recordOf(planned, following);
    this.records.push(record);
    return record;
  }

  async #recordOf(planned: PlannedCommand, following: readonly PlannedCommand[]): Promise<CommandRecord> {
    const { command, source, from, objection } = planned;
    const base = { command, source, from, blocking: false };
    if (objection !== undefined) {
      const nothing = { exitCode: null, durationMs: 0, covered: [] };
      return { ...base, ...nothing, result: 'skipped', reason: objection };
    }
    const { verdict, decisive: end, runs } = await this.#settled(planned);
    this.#before = command;
    if (end.onlyFolder && end.ok) this.#cwd.set(source, end.cwd);
    const ran = { ...base, ...this.#measured(end), ...(runs.length > 1 ? { runs } : {}) };
    if (verdict === 'flaky') {
      const reason = `it was ${runsInWords(runs)} on the same files`;
      const { failure } = end;
      const red = failure
        ? { errorEnd: failure.output.slice(-END_OF_OUTPUT), signature: failure.signature }
        : {};
      return { ...ran, ...red, result: 'flaky', reason };
    }
    if (end.ok || !end.failure) return { ...ran, ...this.#useless(planned, end), result: 'passed' };
    const recoveredBy = await this.#recover(planned, end.failure);
    if (recoveredBy) {
      const reason = `${how(end.failure)}; the replacement passed`;
      const useless = this.#useless({ ...base, command: recoveredBy.at(-1) ?? '' }, end);
      return { ...ran, ...useless, result: 'recovered', code: end.failure.code, reason, recoveredBy };
    }
    return this.#failed(ran, end, end.failure, following);
  }

  #failed(
    ran: Omit<CommandRecord, 'result'>,
    end: ChainEnd,
    failure: ChainFailure,
    following: readonly PlannedCommand[],
  ): CommandRecord {
    const { rules, changed } = this.#input;
    const wasRed = this.#wasRed(end);
    const { command, source, from } = ran;
    const failed = { command, source, from, code: failure.code, redBefore: wasRed };
    const runnable = following.filter(({ objection }) => objection === undefined).length;
    const around = { rules, changed, before: this.records, following: runnable };
    const leniency = leniencyFor(failed, around);
    const details = {
      code: failure.code,
      ...(failure.part === ran.command ? {} : { part: failure.part }),
      ...(failure.output === '' ? {} : { errorEnd: failure.output.slice(-END_OF_OUTPUT) }),
      signature: failure.signature,
      ...(wasRed ? { redBefore: true } : {}),
    };
    const reason = leniency ? `${how(failure)}; ${leniency.reason}` : how(failure);
    if (leniency?.as === 'skipped') return { ...ran, ...details, result: 'skipped', reason };
    return { ...ran, ...details, result: 'failed', blocking: leniency === undefined, reason };
  }

  /** The first replacement that passes as a whole, or undefined. */
  async #recover({ command, source, from }: PlannedCommand, failure: ChainFailure) {
    const { rules, root, changed } = this.#input;
    if (!rules.inlineCommandRecovery) return undefined;
    const failed = { command, code: failure.code, root, changed, mayInstall: rules.setupRecovery };
    let outdated = false;
    for (const { commands, ifOutdated } of replacementsFor(failed, rules.inlineCommandRecoveryCandidates)) {
      // What a person configured is what is run: it may be prepared, nothing stands in for it.
      if (from === 'configured' && commands.at(-1) !== command) continue;
      if (ifOutdated && !outdated) continue;
      const stopped = await this.#firstFailure(commands, source);
      if (!stopped) return commands;
      outdated ||= saysOutdated(stopped.output);
    }
    return undefined;
  }

  async #firstFailure(
    commands: readonly string[],
    source: CommandSource,
  ): Promise<Pick<ChainFailure, 'output'> | undefined> {
    for (const command of commands) {
      const { ok, failure } = await this.#chain(command, source);
      if (!ok) return failure ?? { output: '' };
    }
    return undefined;
  }

  #chain(command: string, source: CommandSource, planned?: PlannedCommand): Promise<ChainEnd> {
    const { root, rules } = this.#input;
    const cwd = this.#cwd.get(source) ?? root;
    const words = planned?.words && { words: { argv: planned.words, env: planned.env ?? {} } };
    const place = { root, cwd, denied: rules.deniedCommands, before: this.#before, ...words };
    return runChain(command, place, this.#run);
  }

  /** Only a program that was started and could have failed is evidence, whatever the command is called. */
  #useless({ command, words, source }: PlannedCommand, { argv, noTest }: ChainEnd): { neverFails?: string } {
    const folder = this.#cwd.get(source) ?? this.#input.root;
    const ofWords = words ? wordsProveNothing(words, folder) : provesNothing(command, folder);
    const reason = ofWords ?? (argv === undefined ? 'it starts no program' : noTest ? NO_TEST : undefined);
    return reason === undefined ? {} : { neverFails: reason };
  }

  #measured({ exitCode, durationMs, ranIn, tests }: ChainEnd) {
    const folder = relative(this.#input.root, ranIn);
    const covered = this.#input.changed.filter((path) => folder === '' || path.startsWith(`${folder}/`));
    return { exitCode, durationMs, covered, ...(tests === undefined ? {} : { tests }) };
  }

  /** Runs a command until it is known what it says about the files. */
  #settled(planned: PlannedCommand) {
    const { baseline, changed, redHere, flaky } = this.#input;
    const { command, source } = planned;
    return settleRuns(
      () => this.#chain(command, source, planned),
      ({ failure, exitCode, durationMs }) => ({
        color: failure ? 'red' : 'green',
        exitCode,
        durationMs,
        signature: failure?.signature ?? null,
      }),
      ({ argv }) => ({
        base: baselineOfCommand(baseline, argv),
        marked: flaky?.has(command) ?? false,
        redHere: redHere?.has(command) ?? false,
        untouched: changed.length === 0,
      }),
    );
  }

  #wasRed({ argv, failure }: ChainEnd): boolean {
    const { baseline } = this.#input;
    if (!baseline || !argv || !failure) return false;
    return redBefore(baseline).some(
      (old) => old.signature === failure.signature && old.command.join('\0') === argv.join('\0'),
    );
  }
}

function how({ end, part }: ChainFailure): string {
  return `\`${part}\` ${end}`;
}
