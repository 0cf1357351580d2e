import type { WorkerContext, WorkerRun } from '../../manifest/worker.ts';
import { runProcess } from '../../process/run.ts';
import { commandEnvironment } from '../../verification/commands/command-env.ts';
import type { RunProgram } from '../../verification/commands/run-chain.ts';
import type { WorkerServices } from '../services.ts';

/** Starts the programs of a step: noted in the journal, each with its own log, in a clean environment, without a terminal. */
export function programsOf(
  services: WorkerServices,
  context: WorkerContext,
  run: WorkerRun,
  { root, timeoutMs }: { readonly root: string; readonly timeoutMs: number },
): RunProgram {
  const { session_id: session, epoch, step } = context.system_metadata;
  const processes = services.processes ?? runProcess;
  const env = commandEnvironment(services.baseEnv, root);
  let started = 0;
  return (program) => {
    started++;
    return processes({
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
