import type { Worker, WorkerRegistry } from '../manifest/worker.ts';
import { agentWorker } from './agent/worker.ts';
import { askHuman } from './ask-human.ts';
import { builder } from './builder.ts';
import { changePlanUpdate } from './change-plan.ts';
import { checkDocs } from './check-docs.ts';
import { command } from './command/worker.ts';
import { fileWriter } from './file-writer/worker.ts';
import { inspectTests } from './inspect-tests.ts';
import { linter } from './linter.ts';
import { fromRecord } from './registry.ts';
import type { WorkerServices } from './services.ts';
import { runStage } from './stage/worker.ts';
import { allowPaths } from './task-flow/allow-paths.ts';
import { checkCommands } from './task-flow/check-commands.ts';
import { confirmNoChange } from './task-flow/confirm-no-change.ts';
import { decidePaths } from './task-flow/decide-paths.ts';
import { deliver } from './task-flow/deliver.ts';
import { diagnoseFailure } from './task-flow/diagnose-failure.ts';
import { discardGenerated } from './task-flow/discard-generated.ts';
import { expectedFiles } from './task-flow/expected-files.ts';
import { keepFindings } from './task-flow/findings.ts';
import { recordOutcome } from './task-flow/record-outcome.ts';
import { verify } from './task-flow/verify.ts';
import { testRunner } from './test-runner.ts';
import { validateOutput } from './validate-output/worker.ts';

/** Every worker that comes with the program. Adding one is a folder and a line. */
export function internalWorkers(services: WorkerServices): WorkerRegistry {
  return fromRecord({
    ...byEngine({
      'Internal:TestRunner': testRunner(services),
      'Internal:ValidateOutput': validateOutput(services),
      'Internal:CheckDocs': checkDocs,
      'Internal:FileSystemWriter': fileWriter(services),
      'Internal:UpdateChangePlan': changePlanUpdate(services),
      'Internal:RunLinter': linter(services),
      'Internal:RunBuilder': builder(services),
      'Internal:Command': command(services),
      'Internal:AskHuman': askHuman,
      'Internal:RunStage': runStage(services),
      'Internal:CheckCommands': checkCommands,
      'Internal:CheckExpectedFiles': expectedFiles(services),
      'Internal:Verify': verify(services),
      'Internal:InspectTests': inspectTests(services),
      'Internal:ConfirmNoChange': confirmNoChange(services),
      'Internal:AllowPaths': allowPaths,
      'Internal:DecidePaths': decidePaths(services),
      'Internal:DiscardGenerated': discardGenerated(services),
      'Internal:DiagnoseFailure': diagnoseFailure,
      'Internal:Deliver': deliver(services),
      'Internal:RecordOutcome': recordOutcome,
      'Internal:KeepFindings': keepFindings(services),
    }),
    agent: agentWorker(services),
  });
}

/** What these say is what the program itself saw or did. */
function byEngine(workers: { readonly [name: string]: Worker }): { readonly [name: string]: Worker } {
  const entries = Object.entries(workers).map(([name, worker]) => [
    name,
    { ...worker, kind: 'engine' } as const,
  ]);
  return Object.fromEntries(entries);
}
