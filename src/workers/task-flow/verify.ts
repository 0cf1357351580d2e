import type { JsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { asFact, contentText, type ExecutionPayload } from '../../manifest/segment.ts';
import { FAILURE, SUCCESS, type Worker } from '../../manifest/worker.ts';
import { runProcess } from '../../process/run.ts';
import { NO_SANDBOX } from '../../process/sandbox/project-sandbox.ts';
import { type ModelPlan, readPlan } from '../../verification/automatic/model-plan.ts';
import { hasOtherEnv } from '../../verification/before-work.ts';
import { commandEnvironment } from '../../verification/commands/command-env.ts';
import type { RunProgram } from '../../verification/commands/run-chain.ts';
import { droppedWork, flakyIn, hasPassed, type VerificationReport } from '../../verification/report.ts';
import { runPass } from '../../verification/run-pass.ts';
import type { TaskTree } from '../../verification/task-tree.ts';
import { answer } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import type { Step } from '../step.ts';
import {
  acceptsNoChange,
  allowedPathsIn,
  baselineIn,
  expectedFilesIn,
  leftBehindIn,
  OUTCOME,
  reportOf,
  reportsIn,
  VERIFICATION,
} from './segments.ts';
import { taskOf, taskParameterProblems, treeOf } from './task-block.ts';

const SIGNALS: { readonly [result in VerificationReport['result']]: string } = {
  verified: SUCCESS,
  unverified: SUCCESS,
  no_op: SUCCESS,
  no_change: 'SIGNAL:NO_CHANGE',
  needs_plan: 'SIGNAL:ASK_PLAN',
  policy_violation: 'SIGNAL:POLICY_VIOLATION',
  denied_command: 'SIGNAL:DENIED_COMMAND',
  failed: FAILURE,
};

/** Nothing but products was changed: only a person can say whether they are the work. */
const ONLY_PRODUCTS = 'SIGNAL:ONLY_PRODUCTS';
/** What a block must ask for, so that flows without a transition for it go on as they did. */
const SWITCHES = ['askPlan', 'productsAsk'];
const NOBODY: AskedPlan = { model: undefined, notes: [] };

/** One pass over the changes of a task. Its report is the evidence, for a pass as for a failure. */
export function verify(services: WorkerServices): Worker {
  return {
    signalsFor: signalsOf,
    checkWith: (parameters) => [
      ...taskParameterProblems(parameters, SWITCHES),
      ...SWITCHES.flatMap((name) =>
        typeof (parameters[name] ?? false) === 'boolean' ? [] : [`"${name}" must be true or false.`],
      ),
    ],
    async run(context, run) {
      const { task, rules } = taskOf(context.contract.with);
      const tree = treeOf(services, 'Internal:Verify');
      const payload = context.execution_payload;
      const timeoutMs = rules.commandTimeoutMs;
      const asks = context.contract.with.askPlan === true;
      const { model, notes } = asks ? askedPlanIn(payload, rules.verifyPlanParseRetries) : NOBODY;
      const report = await runPass(
        {
          task,
          rules,
          allowedLater: allowedPathsIn(payload),
          noChangeAccepted: acceptsNoChange(payload),
          missingFiles: expectedFilesIn(payload)?.missing ?? [],
          leftBehind: leftBehindIn(payload),
          baseline: baselineIn(payload),
          earlier: reportsIn(payload),
          model,
          notes: [
            ...notes,
            ...(await missingWall({ services, context, run })),
            ...(hasOtherEnv(tree.root, tree.before) ? [OTHER_ENV] : []),
          ],
        },
        {
          tree,
          run: programsOf({ services, context, run }, { tree, timeoutMs }),
          search: services.baseEnv['PATH'],
          projectDir: services.projectDir,
          commands: services.commands,
        },
      );
      const passed = hasPassed(report);
      const extra = { outcome: passed ? 'PASS' : 'FAIL' };
      const evidence = { type: VERIFICATION, content: report, extra };
      const flaky = flakyIn(report).map((command) => `\`${command}\``);
      const reason = flaky.length === 0 ? {} : { reason: `flaky: ${flaky.join(', ')}` };
      const outcome = { type: OUTCOME, content: { outcome: report.result, ...reason }, extra: asFact({}) };
      const stops = context.contract.with.productsAsk === true && isOnlyProducts(report);
      const signal = stops ? ONLY_PRODUCTS : SIGNALS[report.result];
      // Reds of earlier passes on the same files are in the report.
      return { ...answer(signal, context, run, evidence, ...(passed ? [outcome] : [])), doubt: null };
    },
  };
}

function signalsOf({ askPlan, productsAsk }: JsonObject): string[] {
  const { needs_plan: asks, ...others } = SIGNALS;
  return [
    ...new Set([
      ...(askPlan === true ? [asks] : []),
      ...(productsAsk === true ? [ONLY_PRODUCTS] : []),
      ...Object.values(others),
    ]),
  ];
}

function isOnlyProducts(report: VerificationReport): boolean {
  return report.result === 'no_change' && droppedWork(report).length > 0;
}

/** Commands that ran without a wall could reach everything that the person can. */
async function missingWall({ services: { sandbox } }: Step): Promise<string[]> {
  const wall = await sandbox?.evidence();
  return wall?.startsWith(NO_SANDBOX) ? [`the commands ran with ${wall}`] : [];
}

interface AskedPlan {
  readonly model: ModelPlan;
  readonly notes: readonly string[];
}

/** What a model answered when a pass asked for commands; asked again so often, it has no plan. */
function askedPlanIn(payload: ExecutionPayload, retries: number): AskedPlan {
  let asked = 0;
  for (const [index, segment] of payload.entries()) {
    if (reportOf(segment)?.result !== 'needs_plan') continue;
    asked++;
    const plan = readPlan(answerAfter(payload, index));
    if (plan)
      return { model: plan, notes: plan.length > 0 ? [] : ['a model was asked and named no command'] };
  }
  if (asked <= retries) return { model: 'ask', notes: [] };
  return {
    model: [],
    notes: [`a model was asked ${asked} times for commands and gave no answer that can be read`],
  };
}

/** Only what was said before the next pass answers this one. */
function answerAfter(payload: ExecutionPayload, index: number): string {
  const rest = payload.slice(index + 1);
  const next = rest.findIndex((segment) => isGenuine(segment, VERIFICATION));
  const said = (next < 0 ? rest : rest.slice(0, next)).find(({ type }) => type === 'MODEL_OUTPUT');
  return said ? contentText(said) : '';
}

const OTHER_ENV = 'the work changed .env, so its variables were not set for the commands';

/** Starts the programs of a step: noted in the journal, each with its own log, in a clean environment, without a terminal. */
function programsOf(
  { services, context, run }: Step,
  { tree, timeoutMs }: { readonly tree: TaskTree; readonly timeoutMs: number },
): RunProgram {
  const { session_id: session, epoch, step } = context.system_metadata;
  const { processes = runProcess, baseEnv, environment, sandbox } = services;
  const { root, before } = tree;
  const withEnvFile = !hasOtherEnv(root, before);
  const env = commandEnvironment(baseEnv, root, { granted: environment?.check, withEnvFile });
  let started = 0;
  return async (program) => {
    started++;
    return processes({
      wall: await sandbox?.wallFor({ kind: 'check', tree: root }),
      argv: program.argv,
      cwd: program.cwd,
      env: { ...env, ...program.env },
      masker: services.masker,
      streams: 'merged',
      timeoutMs,
      cancel: run.cancel,
      onText: (text) => run.output(text),
      logFile: run.logFile(`command-${started}.log`),
      marker: { session, epoch, step },
      onStarted: (process) => run.progress({ type: 'process', process }),
    });
  };
}
