import * as z from 'zod';
import { UsageError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readRules, type VerificationRules } from '../../verification/rules.ts';
import { readTaskFacts, type TaskFacts } from '../../verification/task-facts.ts';
import type { TaskTree } from '../../verification/task-tree.ts';
import { unknownParameters } from '../parameters.ts';
import type { WorkerServices } from '../services.ts';

const KNOWN = ['task', 'rules'];

/** Problems of a `with` that holds a task's facts and the rules of its verification. */
export function taskParameterProblems(parameters: JsonObject, more: readonly string[] = []): string[] {
  return unknownParameters(parameters, [...KNOWN, ...more]);
}

/** Throws when they are not what they should be: no signal of a workflow could mend that. */
export function taskOf(parameters: JsonObject): { task: TaskFacts; rules: VerificationRules } {
  try {
    return { task: readTaskFacts(parameters.task ?? {}), rules: readRules(parameters.rules ?? {}) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const problems = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
    throw new UsageError(`The facts of the task cannot be used: ${problems.join('; ')}.`, {
      next: 'Give the session inputs "task" and "rules" of the documented shape.',
    });
  }
}

export function treeOf(services: WorkerServices, worker: string): TaskTree {
  if (services.taskTree) return services.taskTree;
  throw new UsageError(`${worker} needs the tree of a task, and this session has none.`, {
    next: 'Start it as a task; a plain run verifies with Internal:TestRunner.',
  });
}
