import { describeEnd, type ProcessOutcome } from '../../process/outcome.ts';
import { failureSignature } from '../failure-signature.ts';
import { countsIn, ranNoTest } from '../tests/counts.ts';
import type { TestCounts } from '../tests/inventory.ts';
import { enterFolder } from './enter-folder.ts';
import { type FailureCode, failureCode } from './failure-code.ts';
import { readChain, readWords } from './read-chain.ts';

/** Starts one program in a folder of the project and waits for its end. */
export type RunProgram = (program: {
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
}) => Promise<ProcessOutcome>;

export interface ChainPlace {
  readonly root: string;
  /** Where the chain begins. */
  readonly cwd: string;
  readonly denied: readonly string[];
  /** What the text stands for, where it is not read from it. */
  readonly words?: { readonly argv: readonly string[]; readonly env: { readonly [name: string]: string } };
  /** The command that ran before this one. */
  readonly before?: string | undefined;
}

export interface ChainEnd {
  readonly ok: boolean;
  /** Where it ended; only a chain of nothing but `cd` leads later commands there. */
  readonly cwd: string;
  readonly onlyFolder: boolean;
  /** Where its last program ran. */
  readonly ranIn: string;
  readonly exitCode: number | null;
  /** Its last program could not be started. */
  readonly notStarted?: true;
  readonly durationMs: number;
  readonly failure?: ChainFailure;
  /** The words of the last program that was started. */
  readonly argv?: readonly string[];
  /** How many tests its programs had, where a summary says so. */
  readonly tests?: TestCounts;
  /** Its last program says that it found no test to run. */
  readonly noTest?: true;
}

export interface ChainFailure {
  readonly code: FailureCode;
  /** The part of the chain that failed. */
  readonly part: string;
  /** Half a sentence: `ended with exit code 1`. */
  readonly end: string;
  readonly output: string;
  readonly signature: string;
}

/** Runs the parts of a command one after the other; what follows a failed part is never run. */
export async function runChain(text: string, place: ChainPlace, run: RunProgram): Promise<ChainEnd> {
  const chain = place.words ? readWords(text, place.words, place.denied) : readChain(text, place.denied);
  const start = { cwd: place.cwd, ranIn: place.cwd, onlyFolder: false, exitCode: null, durationMs: 0 };
  if (!chain.ok) return { ...start, ok: false, failure: refusal(chain.code, text, chain.reason) };
  const begun = {
    ...start,
    onlyFolder: chain.steps.every((step) => step.kind === 'cd'),
  };
  let end: ChainEnd = { ...begun, ok: true };
  let { before } = place;
  for (const step of chain.steps) {
    if (step.kind === 'cd') {
      const entered = await enterFolder(place.root, end.cwd, step.words);
      if (!entered.ok) {
        return { ...end, ok: false, failure: refusal('setup_issue', step.part, entered.reason) };
      }
      end = { ...end, cwd: entered.folder };
      continue;
    }
    const outcome = await run({ argv: step.argv, env: step.env, cwd: end.cwd });
    end = afterProgram(end, step, outcome, before);
    if (!end.ok) return end;
    before = step.part;
  }
  return end;
}

function afterProgram(
  end: ChainEnd,
  { part, argv }: { readonly part: string; readonly argv: readonly string[] },
  outcome: ProcessOutcome,
  before: string | undefined,
): ChainEnd {
  const durationMs = Math.round(end.durationMs + outcome.durationMs);
  const exitCode = outcome.kind === 'exited' ? outcome.code : null;
  const output = outcome.output.text;
  const tests = countsIn(output) ?? end.tests;
  const { noTest: _before, ...known } = end;
  const after = {
    ...known,
    argv,
    ranIn: end.cwd,
    exitCode,
    durationMs,
    ...(outcome.kind === 'not-started' ? { notStarted: true as const } : {}),
    ...(tests === undefined ? {} : { tests }),
    ...(ranNoTest(output) ? { noTest: true as const } : {}),
  };
  if (exitCode === 0) return after;
  const how = describeEnd(outcome);
  const code = failureCode(part, outcome, output, before);
  return {
    ...after,
    ok: false,
    failure: { code, part, end: how, output, signature: failureSignature(how, [output]) },
  };
}

function refusal(code: FailureCode, part: string, reason: string): ChainFailure {
  const end = code === 'setup_issue' ? reason : `was not started: ${reason}`;
  return { code, part, end, output: '', signature: failureSignature(code, [part, reason]) };
}
