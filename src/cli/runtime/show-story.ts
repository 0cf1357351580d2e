import { findTask } from '../../project/backlog/find-task.ts';
import { openRuntime } from '../../project/runtime/open-runtime.ts';
import type { Screen } from '../output.ts';
import { storyLines } from './story.ts';

/** Shows a task, if there is one of that name. */
export async function showStory(
  screen: Screen,
  dir: string | undefined,
  written: string,
  { json }: { readonly json?: true },
): Promise<boolean> {
  const { store, opened } = openRuntime(dir);
  try {
    const { backlog } = store;
    const known = (await backlog.ids()).some(
      (id) =>
        id.toUpperCase().startsWith(written.toUpperCase()) ||
        id.toUpperCase().endsWith(written.toUpperCase()),
    );
    if (!known) return false;
    const found = await findTask(backlog, written);
    const [task = found] = await backlog.withProof([found]);
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
    store.close();
  }
}
