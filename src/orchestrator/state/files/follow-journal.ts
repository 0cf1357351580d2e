import type { JournalPosition } from '../store.ts';
import { FolderWatch } from './folder-watch.ts';
import { type Followed, JournalCursor } from './journal-cursor.ts';

export interface FollowOptions {
  /** Where to continue; from the beginning when absent. */
  readonly from?: JournalPosition;
  readonly stop?: AbortSignal;
}

/** The records of a session that count, those that are there and those that come. */
export async function* followJournal(
  folder: string,
  { from, stop }: FollowOptions = {},
): AsyncGenerator<Followed, void, undefined> {
  const cursor = new JournalCursor(folder, from);
  const watch = new FolderWatch(folder, stop);
  try {
    for (;;) {
      const seen = watch.turn();
      for (const followed of cursor.read()) {
        yield followed;
        if (stop?.aborted || followed.type === 'removed') return;
      }
      if (stop?.aborted || !(await watch.next(seen))) return;
    }
  } finally {
    watch.close();
  }
}
