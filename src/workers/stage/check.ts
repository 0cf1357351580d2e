import type { AdapterRegistry } from '../../agents/registry/registry.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { checkRelativePath } from '../../kernel/path-rules.ts';
import { headlessWithoutPrompt } from '../../manifest/stages/compile.ts';
import type { StageParameters, WorkflowTask } from '../../manifest/stages/definition.ts';
import { stageParametersShape } from '../../manifest/stages/shape.ts';
import { ALLOWS_ALL } from '../agent/entry.ts';
import { settingsOf } from '../agent/job.ts';
import { adaptersOf } from '../services.ts';

/** Everything that can be wrong with a stage before a process is started. */
export function stageProblems(
  services: { readonly adapters?: AdapterRegistry },
  parameters: JsonObject,
): string[] {
  const parsed = stageParametersShape.safeParse(parameters);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  }
  const adapters = adaptersOf(services);
  return parsed.data.tasks.flatMap((task) =>
    taskProblems(task, adapters).map((problem) => `Task "${task.id}": ${problem}`),
  );
}

/** What lets an agent do anything must not go unseen. */
export function stageWarnings(parameters: JsonObject): string[] {
  const { tasks } = parameters as unknown as StageParameters;
  return tasks.flatMap(({ id, permissions }) =>
    permissions === 'all' ? [`Task "${id}": ${ALLOWS_ALL}`] : [],
  );
}

function taskProblems(task: WorkflowTask, adapters: AdapterRegistry): string[] {
  const problems: string[] = [];
  const unprompted = headlessWithoutPrompt(task);
  if (unprompted) problems.push(unprompted);
  const { cwd } = task;
  const reason = cwd === undefined || cwd === '.' ? undefined : checkRelativePath(cwd.replace(/\/+$/, ''));
  if (reason !== undefined)
    problems.push(`its cwd ${JSON.stringify(cwd)} ${reason}; name a folder inside the project.`);
  try {
    problems.push(...adapters.problems(task.adapter, task.executionMode ?? 'interactive', settingsOf(task)));
  } catch (error) {
    problems.push(errorMessage(error));
  }
  return problems;
}
