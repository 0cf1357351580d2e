import { asFact } from '../../manifest/segment.ts';
import { FAILURE, SUCCESS, type Worker } from '../../manifest/worker.ts';
import { findDenied } from '../../verification/commands/denied-commands.ts';
import { neverFails } from '../../verification/commands/never-fails.ts';
import { answer, PASS_OR_FAIL } from '../answer.ts';
import { taskOf, taskParameterProblems } from './task-block.ts';

/** Looks at a task's commands before anybody works on it: a forbidden one keeps the agent from being called at all. */
export const checkCommands: Worker = {
  signals: PASS_OR_FAIL,
  changesFiles: false,
  checkWith: taskParameterProblems,
  async run(context, run) {
    const { task, rules } = taskOf(context.contract.with);
    const denied = findDenied(task.commands, rules.deniedCommands);
    if (denied.length > 0) {
      const lines = denied.map(
        ({ command, pattern }) => `\`${command}\` is forbidden by the pattern "${pattern}".`,
      );
      return answer(FAILURE, context, run, { type: 'ERROR', content: lines.join('\n') });
    }
    const useless = task.commands.flatMap((command) => {
      const reason = neverFails(command);
      return reason === undefined ? [] : [{ command, reason }];
    });
    if (useless.length === 0) return answer(SUCCESS, context, run);
    const note = { type: 'COMMANDS_THAT_NEVER_FAIL', content: { commands: useless }, extra: asFact({}) };
    return answer(SUCCESS, context, run, note);
  },
};
