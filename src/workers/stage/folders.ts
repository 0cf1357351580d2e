import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { WorkflowTask } from '../../manifest/stages/definition.ts';

/** Why tasks cannot run where they want to: a folder that is not there, or one that a link leads out of the tree. */
export async function folderProblems(
  worktree: string,
  tasks: readonly WorkflowTask[],
): Promise<{ readonly task: string; readonly problem: string }[]> {
  const root = await realpath(worktree);
  const problems = await Promise.all(tasks.map((task) => problemOf(root, task)));
  return tasks.flatMap(({ id: task }, at) => {
    const problem = problems[at];
    return problem === undefined ? [] : [{ task, problem }];
  });
}

async function problemOf(root: string, { cwd }: WorkflowTask): Promise<string | undefined> {
  if (cwd === undefined) return undefined;
  try {
    const real = await realpath(join(root, cwd));
    const way = relative(root, real);
    if (way === '..' || way.startsWith(`..${sep}`)) return `its cwd "${cwd}" leads out of the folder.`;
    return (await stat(real)).isDirectory() ? undefined : `its cwd "${cwd}" is not a folder.`;
  } catch {
    // Whatever the reason, the agent could not be started in it either.
    return `its cwd "${cwd}" does not exist; make it, or let an earlier stage make it.`;
  }
}
