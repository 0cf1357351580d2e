import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, StorageError } from '../../kernel/errors.ts';
import { describeEnd } from '../../process/outcome.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';
import { scriptsIn } from '../commands/empty-script.ts';
import { type RunProgram, runChain } from '../commands/run-chain.ts';
import { askReport, type ConfiguredReport } from '../tests/ask-report.ts';
import { EXIT_CODE_ONLY, type Inventory } from '../tests/inventory.ts';

/** A command that proves something: a line of a task, or words of a project. */
export interface TestCommand {
  readonly line: string;
  readonly argv?: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** One command on one tree. */
export interface TestRun {
  readonly command: string;
  readonly green: boolean;
  /** Half a sentence. */
  readonly end: string;
  readonly inventory: Inventory;
  /** The end of what it printed. */
  readonly said: string;
}

const END_OF_OUTPUT = 4000;

/** Runs a command in a folder and has it say what became of each test, where its runner can. */
export async function runTests(
  command: TestCommand,
  root: string,
  run: RunProgram,
  reports: readonly ConfiguredReport[] = [],
): Promise<TestRun> {
  const heard: Inventory[] = [];
  let [said, last] = ['', 'was not started'];
  const asking: RunProgram = async (program) => {
    const file = `.${randomBytes(6).toString('hex')}.out`;
    const asked = askReport(program, { scripts: scriptsIn(program.cwd), file, reports });
    const outcome = await run({ cwd: program.cwd, argv: asked.argv, env: asked.env });
    const output = outcome.output.text;
    const report = asked.file === undefined ? undefined : written(join(program.cwd, asked.file));
    if (asked.file === file) rmSync(join(program.cwd, file), { force: true });
    heard.push(asked.read({ output, report, root }));
    said = output.slice(-END_OF_OUTPUT);
    last = describeEnd(outcome);
    return outcome;
  };
  const green = await start(command, root, asking);
  return { command: command.line, green, end: last, inventory: together(heard), said };
}

async function start({ line, argv, env = {} }: TestCommand, root: string, run: RunProgram): Promise<boolean> {
  if (argv) {
    const outcome = await run({ argv, env, cwd: root });
    return outcome.kind === 'exited' && outcome.code === 0;
  }
  return (await runChain(line, { root, cwd: root, denied: [] }, run)).ok;
}

/** A chain of commands may run several runners; what says nothing about tests adds nothing. */
function together(all: readonly Inventory[]): Inventory {
  const reports = all.flatMap((one) => (one.how === 'report' ? [one] : []));
  const [first] = reports;
  if (first) return { ...first, tests: reports.flatMap(({ tests }) => tests) };
  return all.find(({ how }) => how === 'counts') ?? EXIT_CODE_ONLY;
}

/** Tests can write what they like in its place: only a plain file is read. */
function written(path: string): string | undefined {
  try {
    return readPlainIfThere(path);
  } catch (error) {
    if (error instanceof StorageError || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
