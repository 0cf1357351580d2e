import type { WorkerRegistry } from '../manifest/worker.ts';
import { agentWorker } from './agent/worker.ts';
import { allowPaths } from './allow-paths/worker.ts';
import { askHuman } from './ask-human/worker.ts';
import { builder } from './builder/worker.ts';
import { changePlanUpdate } from './change-plan/worker.ts';
import { checkCommands } from './check-commands/worker.ts';
import { command } from './command/worker.ts';
import { confirmNoChange } from './confirm-no-change/worker.ts';
import { decidePaths } from './decide-paths/worker.ts';
import { deliver } from './deliver/worker.ts';
import { diagnoseFailure } from './diagnose-failure/worker.ts';
import { discardGenerated } from './discard-generated/worker.ts';
import { expectedFiles } from './expected-files/worker.ts';
import { fileWriter } from './file-writer/worker.ts';
import { keepFindings } from './findings/worker.ts';
import { linter } from './linter/worker.ts';
import { recordOutcome } from './record-outcome/worker.ts';
import { fromRecord } from './registry.ts';
import type { WorkerServices } from './services.ts';
import { runStage } from './stage/worker.ts';
import { testRunner } from './test-runner/worker.ts';
import { verify } from './verify/worker.ts';

/** Every worker that comes with the program. Adding one is a folder and a line. */
export function internalWorkers(services: WorkerServices): WorkerRegistry {
  return fromRecord({
    'Internal:TestRunner': testRunner(services),
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
    'Internal:ConfirmNoChange': confirmNoChange(services),
    'Internal:AllowPaths': allowPaths,
    'Internal:DecidePaths': decidePaths(services),
    'Internal:DiscardGenerated': discardGenerated(services),
    'Internal:DiagnoseFailure': diagnoseFailure,
    'Internal:Deliver': deliver(services),
    'Internal:RecordOutcome': recordOutcome,
    'Internal:KeepFindings': keepFindings(services),
    agent: agentWorker(services),
  });
}
