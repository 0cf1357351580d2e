import { isJsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { asFact, type ExecutionPayload } from '../../manifest/segment.ts';
import { SUCCESS, type Worker } from '../../manifest/worker.ts';
import { commandsFor } from '../../verification/run-pass.ts';
import { answer, failed, PASS_OR_FAIL } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import { NO_CHANGE_ACCEPTED, PATHS_DISCARDED, pathsIn } from './segments.ts';
import { taskOf, taskParameterProblems, treeOf } from './task-block.ts';

/** An agent that was cut off or failed has not said that there is nothing to do. */
function neverEnded(payload: ExecutionPayload): boolean {
  const runs = payload.filter((segment) => isGenuine(segment, 'AGENT_RUN'));
  return runs.length > 0 && runs.every(({ content }) => isJsonObject(content) && content.ok !== true);
}

/**
 * Decides whether a run that changed nothing may count as done. It may when there is a command that could show
 * it: the next pass then runs the commands on the unchanged files, and one of them must pass.
 */
export function confirmNoChange(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    checkWith: taskParameterProblems,
    async run(context, run) {
      const { task, rules } = taskOf(context.contract.with);
      const tree = treeOf(services, 'Internal:ConfirmNoChange');
      if (!rules.noChangeConfirm) {
        return failed(context, run, 'Nothing was changed, and a run without a change is not accepted.');
      }
      if (neverEnded(context.execution_payload)) {
        return failed(
          context,
          run,
          'Nothing was changed, and no run of the agent came to its end by itself.',
        );
      }
      const undone = pathsIn(context.execution_payload, PATHS_DISCARDED);
      if (undone.length > 0) {
        const what = undone.join(', ');
        return failed(
          context,
          run,
          `Nothing is left of the change: ${what} may not be changed and was undone.`,
        );
      }
      const ports = { tree, projectDir: services.projectDir, commands: services.commands };
      const planned = commandsFor({ task, rules, model: 'ask' }, ports, []);
      const commands = planned.commands.filter(({ objection }) => objection === undefined);
      // Whom the next pass asks may still name one; without any it accepts nothing.
      if (commands.length === 0 && !planned.asksModel) {
        return failed(context, run, 'Nothing was changed, and no command could show that nothing had to be.');
      }
      const content = { commands: commands.map(({ command }) => command) };
      return answer(SUCCESS, context, run, { type: NO_CHANGE_ACCEPTED, content, extra: asFact({}) });
    },
  };
}
