import { type Restorable, restorable, restoreTask } from '../../tasks/prepare/direct/restore-task.ts';
import type { OpenProject } from '../open.ts';
import { openRuntime } from '../runtime/open-runtime.ts';
import { findTask } from './find-task.ts';

/** A file that a task in direct mode changed, and whether it can be put back. */
export interface OfferedFile extends Restorable {
  /** It goes back when restoring is asked for with the same names. */
  readonly wanted: boolean;
}

/** What could be put back of what a task in direct mode changed; all of it, or the named files. */
export async function restorableFiles(
  opened: OpenProject,
  written: string,
  named: readonly string[] = [],
): Promise<{ readonly task: string; readonly files: readonly OfferedFile[] }> {
  const runtime = openRuntime(opened);
  try {
    const task = await findTask(runtime.store.backlog, written);
    const all = await restorable(opened.config.stateDir, task.id);
    const files = all
      .filter(({ path }) => named.length === 0 || named.includes(path))
      .map((file) => ({ ...file, wanted: isWanted(file, named) }));
    return { task: task.id, files };
  } finally {
    runtime.store.close();
  }
}

/** Puts those files back, as far as a copy was kept; how they are now goes to the trash. */
export async function restore(opened: OpenProject, written: string, named: readonly string[] = []) {
  const { task, files } = await restorableFiles(opened, written, named);
  const paths = files.filter(({ wanted }) => wanted).map(({ path }) => path);
  if (paths.length === 0) return { task, restored: [], trash: undefined };
  return { task, ...(await restoreTask(opened.config.stateDir, task, paths)) };
}

/** What somebody else has changed since goes back only when it is named. */
function isWanted({ path, copy, since }: Restorable, named: readonly string[]): boolean {
  return copy && (!since || named.includes(path));
}
