import type { Command } from 'commander';
import type { Action } from '../../../kernel/action.ts';
import { NotFoundError } from '../../../kernel/errors.ts';
import { count } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import { wordsOf } from '../../action-line.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { printTaskNext } from '../../task-next.ts';

export function declareUndo(program: Command, cli: Cli): void {
  program
    .command('undo')
    .description('take what was accepted out of its branch again, as a new commit')
    .argument('[session]', 'its id, or that of a task; its last four characters are enough')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: TrustOptions) => undo(cli, id, options)));
}

async function undo(cli: Cli, id: string | undefined, options: TrustOptions): Promise<void> {
  const project = await openTrusted(cli, options);
  const undone = await project.undo(await toChange(cli, project, id, options, 'undo'));
  if (options.json) return cli.json(undone);
  if (undone.kind === 'already-undone') cli.screen.line(`Undone already: ${undone.base} no longer has it.`);
  else {
    const { files, insertions, deletions } = undone.change;
    const what = `${count(files.length, 'file')}, +${insertions} -${deletions}`;
    cli.screen.line(`Undone: ${what}, as ${undone.commit.slice(0, 12)} on ${undone.base}.`);
  }
  if (undone.awaitsVerdict === true)
    cli.screen.line(
      `Task ${undone.session} waits for your verdict again: accept it once more, or ask for a rework.`,
    );
  return sayNext(cli, project, undone.session);
}

/** How it is accepted again: what was accepted with a reason needs one again. */
async function sayNext(cli: Cli, project: Project, id: string): Promise<void> {
  if ((await project.isTaskId(id)) && (await printTaskNext(cli, project, id)) === 'printed') return;
  const { actions } = await project.session(id).catch(noSession);
  const again = actions.find((each) => each.id === 'session.accept');
  cli.next(project, ...((again && wordsOf(again)) ?? ['accept', id]));
}

const noSession = (error: unknown): { readonly actions: readonly Action[] } => {
  if (error instanceof NotFoundError) return { actions: [] };
  throw error;
};
