import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { FAILURE, SUCCESS, type Worker } from '../../manifest/worker.ts';
import type { ProcessOutcome } from '../../process/outcome.ts';
import { wordsProveNothing } from '../../verification/commands/proves-nothing.ts';
import { answer, failed, PASS_OR_FAIL } from '../answer.ts';
import { explainEnd, runCommand } from '../run-command.ts';
import type { WorkerServices } from '../services.ts';
import { inWorktree } from '../step.ts';
import { type CommandParameters, readParameters } from './parameters.ts';

/** Runs any program; its exit code decides the signal, its output becomes a segment. */
export function command(services: WorkerServices): Worker {
  return {
    checkWith(given) {
      const parameters = readParameters(given);
      return 'problems' in parameters ? parameters.problems : [];
    },
    signalsFor(given) {
      const parameters = readParameters(given);
      if ('problems' in parameters) return PASS_OR_FAIL;
      const { exitCodes } = parameters;
      const success = exitCodes['0'] === undefined ? [SUCCESS] : [];
      return [...new Set([...success, FAILURE, ...Object.values(exitCodes)])];
    },
    run: inWorktree(services, 'Internal:Command', async (step) => {
      const { context, run, worktree } = step;
      const parameters = readParameters(context.contract.with);
      if ('problems' in parameters) {
        return failed(context, run, `Internal:Command cannot run: ${parameters.problems.join(' ')}`, {
          in: 'manifest',
        });
      }
      if (await leavesTree(worktree, parameters.cwd)) {
        const problem = `Internal:Command cannot run: "cwd" ${parameters.cwd} leads out of the worktree through a symlink.`;
        return failed(context, run, problem);
      }
      const outcome = await runCommand(step, {
        kind: 'check',
        ...parameters,
        streams: 'merged',
      });
      const extra = outcome.kind === 'exited' ? { exit_code: outcome.code } : {};
      const result = { type: parameters.segmentType, content: report(parameters, outcome), extra };
      const signal = signalFor(parameters, outcome);
      const answered = answer(signal, context, run, result);
      const useless = wordsProveNothing(parameters.argv, join(worktree, parameters.cwd));
      if (signal !== SUCCESS || useless === undefined) return answered;
      return { ...answered, doubt: { kind: 'unproven', why: `its command proves nothing: ${useless}` } };
    }),
  };
}

/** A folder that does not exist leads nowhere: starting there says so. */
async function leavesTree(worktree: string, cwd: string): Promise<boolean> {
  if (cwd === '') return false;
  try {
    const inside = relative(await realpath(worktree), await realpath(join(worktree, cwd)));
    return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function signalFor({ exitCodes }: CommandParameters, outcome: ProcessOutcome): string {
  if (outcome.kind !== 'exited') return FAILURE;
  return exitCodes[String(outcome.code)] ?? (outcome.code === 0 ? SUCCESS : FAILURE);
}

function report({ argv }: CommandParameters, outcome: ProcessOutcome): string {
  const log = outcome.output.text;
  if (outcome.kind === 'exited') return log;
  const next = 'correct this block\'s "with", or install what it runs.';
  return (log === '' || log.endsWith('\n') ? log : `${log}\n`) + explainEnd(argv, outcome, next);
}
