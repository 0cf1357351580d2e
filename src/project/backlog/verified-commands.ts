import type { Task } from '../../backlog/task.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { oneLine } from '../../kernel/words.ts';
import { runProcess } from '../../process/run.ts';
import { rulesOf } from '../../tasks/runtime/flow.ts';
import { pathsOf } from '../../verification/changes/relevant-changes.ts';
import { commandEnvironment } from '../../verification/commands/command-env.ts';
import type { RunProgram } from '../../verification/commands/run-chain.ts';
import { runCommands } from '../../verification/commands/run-commands.ts';
import { type CommandRecord, proves, type VerificationReport } from '../../verification/report.ts';
import { readRules } from '../../verification/rules.ts';
import type { CandidateRun, Check, Checks, Repeated } from '../files/checks.ts';
import { lastLines } from '../files/last-lines.ts';
import { maskedText } from '../masked.ts';
import type { OpenProject } from '../open.ts';

/** The commands that verified a task, as checks that can be run again on another tree. */
export function verifiedCommands(
  opened: OpenProject,
  task: Task,
  report: VerificationReport | undefined,
): Checks {
  const { commands = [], tree } = report ?? {};
  const seen = commands.filter(proves).map((record) => named(opened, record, tree));
  return {
    seen,
    tree,
    unrepeatable: [],
    commands: seen.flatMap(({ command = '' }) => command),
    repeat: async (on) => (report ? repeated(opened, task, report, on) : []),
  };
}

/** What a run stored as its evidence. */
export function reportOfRun(outcome: unknown): VerificationReport | undefined {
  const report = isJsonObject(outcome) ? outcome['report'] : undefined;
  return isJsonObject(report) ? (report as unknown as VerificationReport) : undefined;
}

const WHOSE = {
  task: 'its own command',
  contract: 'the contract',
  configured: 'the configuration',
  project: 'the project',
  model: 'a model',
};

function named(opened: OpenProject, { command, from }: CommandRecord, tree: string | undefined): Check {
  return { name: WHOSE[from], command: maskedText(opened, oneLine(command)), result: 'passed', tree };
}

/** All that passed runs again, a lone `cd` included: each that proved something has to prove it again. */
async function repeated(
  opened: OpenProject,
  task: Task,
  report: VerificationReport,
  on: CandidateRun,
): Promise<readonly Repeated[]> {
  const changed = pathsOf(report.changes);
  const before = report.commands.filter(({ result }) => result === 'passed' || result === 'recovered');
  const commands = before.map(({ command, source, from }) => ({ command, source, from }));
  const rules = readRules(rulesOf(opened.config.runtime, task.origin));
  const logs: string[] = [];
  const records = await runCommands(
    { commands, rules, root: on.root, changed },
    programsOf(opened, on, { changed, timeoutMs: rules.commandTimeoutMs, logs }),
  );
  return records.flatMap((record, i): Repeated[] => {
    const earlier = before[i];
    if (!earlier || !proves(earlier)) return [];
    const passed = proves(record);
    const why = record.reason ?? record.neverFails ?? 'it proves nothing any more';
    const said = passed ? '' : `${why}\n${lastLines(record.errorEnd ?? '')}`.trim();
    const result = passed ? 'passed' : 'failed';
    return [{ ...named(opened, record, on.tree), result, passed, said, log: logs.at(-1) ?? '' }];
  });
}

function programsOf(
  { services }: OpenProject,
  on: CandidateRun,
  { changed, timeoutMs, logs }: { readonly changed: readonly string[]; timeoutMs: number; logs: string[] },
): RunProgram {
  const { processes = runProcess, baseEnv = {}, environment, sandbox, masker } = services;
  // What the work itself wrote must not steer its own checks.
  const withEnvFile = !changed.includes('.env');
  const env = commandEnvironment(baseEnv, on.root, { granted: environment?.check, withEnvFile });
  return async ({ argv, cwd, env: own }) => {
    const logFile = on.logFile(`command-${logs.length + 1}.log`);
    logs.push(logFile);
    return processes({
      argv,
      cwd,
      env: { ...env, ...own },
      wall: await sandbox?.wallFor({ kind: 'check', tree: on.root }),
      masker,
      streams: 'merged',
      timeoutMs,
      cancel: on.cancel,
      logFile,
      marker: { session: on.id },
      onStarted: on.started,
    });
  };
}
