import { findTask } from '../../project/backlog/find-task.ts';
import { openRuntime } from '../../project/runtime/open-runtime.ts';
import { Backlog } from '../../tasks/backlog/backlog.ts';
import { withProof } from '../../tasks/backlog/proof.ts';
import type { Screen } from '../output.ts';
import { storyLines } from './story.ts';

/** Shows a task, if there is one of that name. */
export async function showStory(
  screen: Screen,
  dir: string | undefined,
  written: string,
  { json }: { readonly json?: true },
): Promise<boolean> {
  const { database, opened } = openRuntime(dir);
  try {
    const backlog = new Backlog(database);
    const known = (await backlog.ids()).some(
      (id) =>
        id.toUpperCase().startsWith(written.toUpperCase()) ||
        id.toUpperCase().endsWith(written.toUpperCase()),
    );
    if (!known) return false;
    const found = await findTask(backlog, written);
    const [task = found] = await withProof(database.query, [found]);
    const history = await backlog.history(task.id);
    if (json) screen.json({ ...task, ...history });
    else {
      for (const line of storyLines(task, history, screen.style)) screen.line(line);
      const session = history.runs.at(-1)?.sessionId;
      if (session !== undefined)
        screen.line(`${screen.style.cyan('next:')} ${opened.project.command('show', session)}`);
    }
    return true;
  } finally {
    database.close();
  }
}
