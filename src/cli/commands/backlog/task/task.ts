import type { Command } from 'commander';
import type { Cli } from '../../../cli.ts';
import { declareAdd } from './add.ts';
import { declareCancel } from './cancel.ts';
import { declareEdit } from './edit.ts';
import { declareImport } from './import.ts';
import { declareList } from './list.ts';
import { declareRequeue } from './requeue.ts';
import { declareRemove } from './rm.ts';
import { declareShowTask } from './show.ts';

/** `task` and its subcommands. */
export function declareTask(program: Command, cli: Cli): void {
  const task = program.command('task').description('the backlog: add, import, list, show and change tasks');
  declareAdd(task, cli);
  declareImport(task, cli);
  declareList(task, cli);
  declareShowTask(task, cli);
  declareEdit(task, cli);
  declareCancel(task, cli);
  declareRequeue(task, cli);
  declareRemove(task, cli);
}
