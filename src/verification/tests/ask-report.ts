import { tokenize } from '../command-line.ts';
import { scriptNamed } from '../commands/empty-script.ts';
import { splitChain } from '../commands/split-chain.ts';
import { countsIn } from './counts.ts';
import { EXIT_CODE_ONLY, type Inventory } from './inventory.ts';
import { type ReportFormat, readReport } from './read-report.ts';
import { type Runner, runnerOf } from './runners.ts';

export interface CheckCommand {
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/** A report that a project's own command writes. */
export interface ConfiguredReport {
  readonly command: string;
  readonly format: ReportFormat;
  /** Relative to the project's folder. */
  readonly file: string;
}

/** A command that is run so that it says what became of each test. */
export interface AskedCommand extends CheckCommand {
  /** Where its report will be, relative to the folder it runs in; absent: what it prints is all there is. */
  readonly file?: string;
  /** What its run says, from what it printed and what it wrote. */
  read(run: {
    readonly output: string;
    readonly report: string | undefined;
    readonly root: string;
  }): Inventory;
}

export interface AskOptions {
  /** The scripts of the package in the folder that the command runs in. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Of a file in that folder, which is made for the report. */
  readonly file: string;
  readonly reports?: readonly ConfiguredReport[];
}

/** How a command is asked for its tests: as configured, else in its runner's own way, else by what it prints. */
export function askReport(command: CheckCommand, { scripts, file, reports = [] }: AskOptions): AskedCommand {
  const line = command.argv.join(' ');
  const configured = reports.find((report) => report.command === line);
  if (configured) {
    const { format, file: own } = configured;
    return { ...command, file: own, read: reader(format, format) };
  }
  const started = startedBy(command.argv, scripts);
  const { runner } = started;
  if (!runner) return { ...command, read: bySummary };
  const read = reader(runner.format, runner.name);
  if (runner.printed) return { ...command, env: { ...command.env, ...runner.env?.(file) }, read };
  if (runner.env) return { ...command, env: { ...command.env, ...runner.env(file) }, file, read };
  const args = runner.args?.(file) ?? [];
  if (!started.isLast) return { ...command, read: bySummary };
  return { ...command, argv: [...command.argv, ...started.before, ...args], file, read };
}

interface Started {
  readonly runner: Runner | undefined;
  /** Words added to the command reach the runner. */
  readonly isLast: boolean;
  /** What must stand before such words. */
  readonly before: readonly string[];
}

/** The runner behind a command, through the scripts of the package. */
function startedBy(argv: readonly string[], scripts: ReadonlyMap<string, string>, depth = 0): Started {
  const direct = runnerOf(argv);
  if (direct) return { runner: direct, isLast: true, before: [] };
  const name = scriptNamed(argv);
  const script = name === undefined ? undefined : scripts.get(name);
  if (script === undefined || depth > 5) return { runner: undefined, isLast: false, before: [] };
  const parts = splitChain(script);
  const all = parts.map((part) => {
    const line = tokenize(part);
    return line.ok ? startedBy(line.argv, scripts, depth + 1) : undefined;
  });
  const at = all.findIndex((part) => part?.runner !== undefined);
  const isLast = at === parts.length - 1 && (all[at]?.isLast ?? false);
  const before = argv[0] === 'npm' && !argv.includes('--') ? ['--'] : [];
  return { runner: all[at]?.runner, isLast, before: [...before, ...(all[at]?.before ?? [])] };
}

function reader(format: ReportFormat, runner: string): AskedCommand['read'] {
  return ({ output, report, root }) => {
    const tests = readReport(format, report ?? output, root);
    return tests ? { how: 'report', runner, tests } : bySummary({ output, report, root });
  };
}

const bySummary: AskedCommand['read'] = ({ output }) => {
  const counts = countsIn(output);
  return counts ? { how: 'counts', counts } : EXIT_CODE_ONLY;
};
