import type { Claim } from '../../backlog/scheduler.ts';
import type { Config } from '../../config/load-config.ts';
import type { ManifestBody } from '../../manifest/definition.ts';
import type { BaselineCheck } from '../../verification/baseline.ts';
import { readRules } from '../../verification/rules.ts';
import { commandsFor } from '../../verification/run-pass.ts';
import { readTaskFacts } from '../../verification/task-facts.ts';
import { baselineOf, workersIn } from '../../workers/checks-used.ts';
import { inputsFor } from './flow.ts';

/**
 * What is run once on the untouched files of a task: the commands that its flow will run on its work. A flow without
 * a verification needs none.
 */
export function taskChecks(
  config: Config,
  flow: ManifestBody,
  { task }: Pick<Claim, 'task'>,
  { mode, folder }: { readonly mode: string; readonly folder: string },
): BaselineCheck[] {
  const { workers, used } = workersIn(flow);
  const own = workers.has('Internal:Verify') ? verified(config, task, mode, folder) : [];
  const others = baselineOf(used, config.commands)(folder);
  const known = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !known.has(name))];
}

/** As far as they are known before anything was changed: a contract may add others, and so may a model. */
function verified(config: Config, task: Claim['task'], mode: string, folder: string): BaselineCheck[] {
  const { task: facts, rules } = inputsFor({ task }, config.runtime, mode, '');
  const { projectDir, commands } = config;
  const plan = commandsFor(
    { task: readTaskFacts(facts), rules: readRules(rules) },
    { tree: { root: folder }, projectDir, commands },
    [],
  );
  return plan.commands.flatMap(({ command, words, env = {}, objection, kind }): BaselineCheck[] => {
    if (objection !== undefined) return [];
    const name = kind ?? command;
    return [words ? { name, argv: words, env } : { name, line: command }];
  });
}
