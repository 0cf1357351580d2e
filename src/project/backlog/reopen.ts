import type { OpenProject } from '../open.ts';
import { openRuntime } from '../runtime/open-runtime.ts';

/** What was done is no longer in its base: whoever reads the backlog must not take it for delivered. */
export async function reopen(
  opened: OpenProject,
  task: string,
  { base, commit }: { readonly base: string; readonly commit?: string },
): Promise<boolean> {
  const { store } = openRuntime(opened);
  try {
    const now = await store.backlog.get(task);
    if (now?.state !== 'done') return now?.blockReason === 'awaiting_judge';
    const as = commit === undefined ? '' : ` as ${commit.slice(0, 12)}`;
    await store.scheduler.reopen(task, `undone by a person: taken out of ${base} again${as}`);
    return true;
  } finally {
    store.close();
  }
}
