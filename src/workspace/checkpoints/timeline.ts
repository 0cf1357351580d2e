import type { BoundGit } from '../git/bound-git.ts';
import { splitZ } from '../git/tree-diff.ts';
import { type Checkpoint, listCheckpoints } from './checkpoint-list.ts';

export interface TimelineEntry extends Checkpoint {
  /** Files that differ from the checkpoint before. */
  readonly added: number;
  readonly modified: number;
  readonly deleted: number;
}

interface Counts {
  added: number;
  modified: number;
  deleted: number;
}

/** The checkpoints of a session, oldest first, with how much each one changed; one git for all of them. */
export async function timelineOf(git: BoundGit, session: string): Promise<TimelineEntry[]> {
  const checkpoints = await listCheckpoints(git, session);
  if (checkpoints.length === 0) return [];
  const input = checkpoints.map(({ commit }) => `${commit}\n`).join('');
  const args = ['diff-tree', '--stdin', '--root', '-r', '-z', '--no-renames', '--name-status'];
  const counts = countByCommit((await git.run(args, { input })).stdout);
  return checkpoints.map((checkpoint) => ({
    ...checkpoint,
    ...(counts.get(checkpoint.commit) ?? { added: 0, modified: 0, deleted: 0 }),
  }));
}

/** A commit's id, then pairs of status letter and path; all ended by NUL. */
function countByCommit(text: string): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  let current: Counts | undefined;
  const fields = splitZ(text).values();
  for (const field of fields) {
    if (field.length >= 40) {
      current = { added: 0, modified: 0, deleted: 0 };
      counts.set(field, current);
      continue;
    }
    fields.next();
    if (!current) continue;
    if (field === 'A') current.added += 1;
    else if (field === 'D') current.deleted += 1;
    else current.modified += 1;
  }
  return counts;
}
