import type { Snapshot } from './take-snapshot.ts';

export interface SnapshotChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What happened between two snapshots of one folder, each list sorted. */
export function compareSnapshots(before: Snapshot, after: Snapshot): SnapshotChanges {
  const changed: string[] = [];
  const added: string[] = [];
  const removed: string[] = [];
  for (const [path, now] of after.files) {
    const then = before.files.get(path);
    if (!then) added.push(path);
    else if (then.mtimeMs !== now.mtimeMs || then.size !== now.size) changed.push(path);
  }
  for (const path of before.files.keys()) if (!after.files.has(path)) removed.push(path);
  return { changed: changed.sort(), added: added.sort(), removed: removed.sort() };
}
