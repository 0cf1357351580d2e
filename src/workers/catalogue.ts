import type { WorkerRegistry } from '../manifest/worker.ts';
import { agentWorker } from './agent/worker.ts';
import { askHuman } from './ask-human/worker.ts';
import { builder } from './builder/worker.ts';
import { changePlanUpdate } from './change-plan/worker.ts';
import { command } from './command/worker.ts';
import { fileWriter } from './file-writer/worker.ts';
import { linter } from './linter/worker.ts';
import { fromRecord } from './registry.ts';
import type { WorkerServices } from './services.ts';
import { runStage } from './stage/worker.ts';
import { testRunner } from './test-runner/worker.ts';

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
    agent: agentWorker(services),
  });
}
