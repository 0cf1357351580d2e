import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { WorkflowTask } from '../../manifest/stages/definition.ts';

/** Why tasks cannot run where they want to: a folder that is not there, or one that a link leads out of the tree. */
export async function folderProblems(worktree: string, tasks: readonly WorkflowTask[]): Promise<string[]> {
  const root = await realpath(worktree);
  const problems = await Promise.all(tasks.map((task) => problemOf(root, task)));
  return problems.flatMap((problem) => problem ?? []);
}

async function problemOf(root: string, { id, cwd }: WorkflowTask): Promise<string | undefined> {
  if (cwd === undefined) return undefined;
  try {
    const real = await realpath(join(root, cwd));
    const way = relative(root, real);
    if (way === '..' || way.startsWith(`..${sep}`))
      return `Task "${id}": its cwd "${cwd}" leads out of the folder.`;
    return (await stat(real)).isDirectory() ? undefined : `Task "${id}": its cwd "${cwd}" is not a folder.`;
  } catch {
    // Whatever the reason, the agent could not be started in it either.
    return `Task "${id}": its cwd "${cwd}" does not exist; make it, or let an earlier stage make it.`;
  }
}
