import { relative } from 'node:path';
import { isGenuine } from '../manifest/origin.ts';
import { asFact, contentText, type ExecutionPayload } from '../manifest/segment.ts';
import { FAILURE, SUCCESS, SUSPICIOUS, type Worker } from '../manifest/worker.ts';
import { redBefore } from '../verification/baseline.ts';
import { weakenedTools } from '../verification/before-work.ts';
import type { InspectInput, TestEvidence, TryTrees } from '../verification/proof/evidence.ts';
import { inspect } from '../verification/proof/inspect.ts';
import type { TestCommand } from '../verification/proof/run-tests.ts';
import { proves } from '../verification/report.ts';
import {
  hardChanges,
  SUSPICIOUS_CHANGE,
  type SuspiciousChange,
  suspiciousLine,
  TEST_EVIDENCE,
} from '../verification/suspicious/segment.ts';
import { countsIn } from '../verification/tests/counts.ts';
import type { Inventory, TestCounts } from '../verification/tests/inventory.ts';
import { answer, type NewSegment } from './answer.ts';
import { canBeMended, inspectionProblems, inspectionSettings } from './inspection-settings.ts';
import { blockCommand } from './project-command.ts';
import { runCommand } from './run-command.ts';
import type { InspectionPort, WorkerServices } from './services.ts';
import { inWorktree, type StepInTree } from './step.ts';
import { baselineIn, reportIn } from './task-flow/segments.ts';

/**
 * Looks at what became of the checks. `FAILURE`: the tests as the base has them are red on the new code, for an agent to
 * mend, once. `SUSPICIOUS`: the checks themselves were weakened, so a person must look.
 */
export function inspectTests(services: WorkerServices): Worker {
  return {
    signalsFor: (parameters) => [SUCCESS, SUSPICIOUS, ...(canBeMended(parameters) ? [FAILURE] : [])],
    changesFiles: false,
    checkWith: inspectionProblems,
    run: inWorktree(services, 'Internal:InspectTests', async (step) => {
      const { context, run } = step;
      const { inspection } = services;
      const base = await inspection?.base();
      if (!inspection || base === undefined)
        return answer(SUCCESS, context, run, evidenceOf({ notes: [NOTHING_TO_COMPARE] }));
      const { log, changed: _changed, ...found } = await inspected(step, inspection, base);
      const hard = hardChanges({ tree: found.tree, found: [...found.found] });
      const isNew = log !== undefined && !wasToldToMend(context.execution_payload);
      const canMend = isNew && canBeMended(context.contract.with);
      const signal = hard.length === 0 ? SUCCESS : canMend ? FAILURE : SUSPICIOUS;
      const mark = { tree: found.tree, found: [...found.found] };
      return answer(
        signal,
        context,
        run,
        evidenceOf({ ...found, signal }),
        { type: SUSPICIOUS_CHANGE, content: mark, extra: asFact({}) },
        ...(signal === FAILURE ? [{ type: 'ERROR', content: toMend(hard, log ?? '') }] : []),
      );
    }),
  };
}

const NOTHING_TO_COMPARE = 'there is no base to compare with, so nobody looked at what became of the checks';

function evidenceOf(content: NewSegment['content']): NewSegment {
  return { type: TEST_EVIDENCE, content, extra: asFact({}) };
}

async function inspected(step: StepInTree, inspection: InspectionPort, base: string): Promise<TestEvidence> {
  const { context, run } = step;
  const payload = context.execution_payload;
  const delivered = await inspection.delivered();
  const { prefix, trees } = inspection;
  const settings = inspectionSettings(context.contract.with, payload, inspection);
  const known = knownCounts(payload);
  const { fresh, folder, remembered } = inspection;
  const commands = commandsOf(step);
  const dropped = step.services.taskTree?.mode === 'direct' ? [] : droppedIn(payload);
  const others = await inspection.undelivered(delivered);
  const input = {
    ...settings,
    base,
    delivered,
    prefix,
    commands,
    known,
    redBefore: redBeforeIn(payload, commands),
    fresh,
    folder,
    remembered,
    undelivered: others && [...dropped, ...others],
  };
  const tryTrees: TryTrees = (action) =>
    inspection.withFolder(
      (put) =>
        action(async (tree, use) => {
          const root = await put(tree);
          return use(root, ({ argv, env, cwd }) => {
            const command = {
              kind: 'check',
              argv,
              env,
              cwd: relative(root, cwd),
              streams: 'merged',
            } as const;
            return runCommand({ ...step, worktree: root }, command);
          });
        }),
      run.cancel,
    );
  const evidence = await inspect(input, trees, tryTrees);
  const tools = await toolsOf(step, inspection, evidence.changed);
  return { ...evidence, found: [...tools, ...evidence.found] };
}

/** Files in which a person says what is to be installed; a lockfile alone says nothing new. */
const DECLARED = /(?:^|\/)(?:package\.json|requirements[^/]*\.txt|pyproject\.toml|Pipfile)$/;

async function toolsOf(
  { services, worktree }: StepInTree,
  inspection: InspectionPort,
  changed: readonly string[],
): Promise<SuspiciousChange[]> {
  const newlyDeclared = changed.some((path) => DECLARED.test(path));
  const search = services.baseEnv['PATH'] ?? '';
  const tools = weakenedTools(worktree, await inspection.before(), { search, newlyDeclared });
  return inspection.onlyTold ? tools.map((tool) => ({ ...tool, weight: 'soft' })) : tools;
}

/** Commands that failed in this very folder before the work began. */
function redBeforeIn(payload: ExecutionPayload, commands: readonly TestCommand[]): string[] {
  const baseline = baselineIn(payload);
  const red = (baseline ? redBefore(baseline) : []).filter(({ flaky }) => !flaky);
  const words = new Set(red.flatMap(({ name, command }) => [name, command.join(' ')]));
  return commands.flatMap(({ line, argv }) =>
    words.has(line) || words.has(argv?.join(' ') ?? line) ? [line] : [],
  );
}

/** What was there when the commands of a task ran, and was taken away as a product afterwards. */
function droppedIn(payload: ExecutionPayload): string[] {
  const report = reportIn(payload);
  const products = (report?.dropped ?? []).filter(({ why }) => why !== 'ignored').map(({ path }) => path);
  return [...new Set([...products, ...(report?.leftBehind ?? [])])];
}

/** What proved the work: the commands of a task that passed, else the project's own tests. */
function commandsOf(step: StepInTree): TestCommand[] {
  const report = reportIn(step.context.execution_payload);
  if (report) return report.commands.filter(proves).map(({ command }) => ({ line: command }));
  const { line, read } = blockCommand(step, 'test');
  return read.ok ? [{ line, argv: read.argv, env: read.env }] : [];
}

/** What the runs before the work and after it said of their tests; several commands cannot be held against one. */
function knownCounts(payload: ExecutionPayload): NonNullable<InspectInput['known']> {
  const before = (baselineIn(payload)?.checks ?? []).flatMap(({ tests }) => tests ?? []);
  const [base] = before;
  if (before.length !== 1 || !base) return {};
  const known: Inventory = { how: 'counts', counts: base };
  const passed = passedCounts(payload);
  if (passed.length === 0) return {};
  const [now] = passed;
  // A run that passed has no failed test: whoever says so is not its runner.
  return now && now.failed === 0
    ? { base: known, delivered: { how: 'counts', counts: now } }
    : { base: known };
}

/** Of each run that passed after the work; undefined: it said nothing of its tests. */
function passedCounts(payload: ExecutionPayload): (TestCounts | undefined)[] {
  const report = reportIn(payload);
  if (report) {
    const all = report.commands.filter(proves).map(({ tests }) => tests);
    const counted = all.filter((tests) => tests !== undefined);
    return counted.length > 0 ? counted.slice(0, 1) : all.slice(0, 1);
  }
  const result = payload.findLast((segment) => isGenuine(segment, 'TEST_RESULT'));
  return result ? [countsIn(contentText(result))] : [];
}

/** An agent is asked once to make the old tests pass: after that it is for a person to say. */
function wasToldToMend(payload: ExecutionPayload): boolean {
  return payload.some(
    (segment) =>
      isGenuine(segment, TEST_EVIDENCE) &&
      typeof segment.content === 'object' &&
      segment.content !== null &&
      'signal' in segment.content &&
      segment.content['signal'] === FAILURE,
  );
}

function toMend(hard: readonly SuspiciousChange[], log: string): string {
  const [first, last] = hard.some(({ rule }) => rule !== 'not_reproduced') ? WEAKENED : LEANING;
  return [
    first,
    ...hard.map((change) => `- ${suspiciousLine(change)}`),
    last,
    ...(log.trim() === '' ? [] : ['The end of what was printed:', log.trim()]),
  ].join('\n');
}

const WEAKENED = [
  'The checks themselves were changed, and in the form that they had before they do not pass:',
  'Put the tests and the check scripts back to what they were, and change the code so that they pass. If the goal asks for another behaviour, say which test contradicts it.',
] as const;
const LEANING = [
  'The checks pass in this folder, but not with the delivered files alone:',
  'What git ignores, products of tools and repositories inside of the tree are not delivered. Put what the code needs where it is, and change the code so that the checks pass with it.',
] as const;
