import { count } from '../../kernel/words.ts';
import { findTask } from '../../project/backlog/find-task.ts';
import { openRuntime } from '../../project/runtime/open-runtime.ts';
import { type Restorable, restorable, restoreTask } from '../../tasks/prepare/direct/restore-task.ts';
import { confirm } from '../ask.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface RestoreOptions {
  readonly yes?: true;
  readonly dir?: string;
  readonly json?: true;
}

/** What somebody else has changed since goes back only when it is named. */
function isWanted({ path, copy, since }: Restorable, named: readonly string[]): boolean {
  return copy && (!since || named.includes(path));
}

function wordFor(file: Restorable, named: readonly string[]): string {
  if (!file.copy) return 'no copy was kept';
  return isWanted(file, named) ? 'can be put back' : 'changed since by somebody else: name it to put it back';
}

/** Puts back what a task in direct mode changed, as far as a copy was kept; how it is now goes to the trash. */
export async function restore(
  screen: Screen,
  written: string,
  paths: readonly string[],
  options: RestoreOptions,
): Promise<number> {
  const runtime = openRuntime(options.dir);
  try {
    const { stateDir } = runtime.opened.config;
    const task = await findTask(runtime.store.backlog, written);
    const offered = (await restorable(stateDir, task.id)).filter(
      ({ path }) => paths.length === 0 || paths.includes(path),
    );
    if (!options.json) {
      const rows = offered.map((file) => [file.path, file.what, wordFor(file, paths)]);
      for (const line of table(['file', 'was', ''], rows, screen.style.dim)) screen.line(line);
    }
    const possible = offered.filter((file) => isWanted(file, paths)).map(({ path }) => path);
    if (possible.length === 0) {
      if (options.json) screen.json({ task: task.id, restored: [], offered });
      else screen.line('Nothing can be put back.');
      return 0;
    }
    const sure =
      options.yes ||
      (screen.interactive && !options.json && (await confirm(`Put ${count(possible.length, 'file')} back?`)));
    if (!sure) {
      if (options.json) screen.json({ task: task.id, restored: [], offered });
      else screen.line('Nothing was changed. Add --yes to put them back.');
      return 0;
    }
    const done = await restoreTask(stateDir, task.id, possible);
    if (options.json) screen.json({ task: task.id, ...done });
    else screen.line(`Put ${count(done.restored.length, 'file')} back; what was there is in ${done.trash}.`);
    return 0;
  } finally {
    runtime.store.close();
  }
}
