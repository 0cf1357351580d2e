import { diskUse } from './disk-use.ts';
import type { WorktreeHome } from './home.ts';
import { type Inspection, inspect, type WorktreeHealth } from './inspect.ts';
import type { KnownSession } from './owners.ts';
import { readRecords, type WorktreeRecord } from './record.ts';
import { describeObjection, objectionTo, removeWorktree } from './remove.ts';

/** A worktree as `worktrees list` shows it. */
export interface WorktreeView {
  readonly id: string;
  readonly path: string;
  readonly branch: string;
  readonly baseCommit: string;
  readonly health: WorktreeHealth;
  readonly lock?: string;
  readonly uncommitted: number;
  readonly unmerged: number;
  readonly ageMs: number;
  readonly bytes: number;
}

export interface GcOptions {
  readonly sessions: readonly KnownSession[];
  readonly dryRun?: boolean;
  /** Also with uncommitted or unmerged work; never of a session that can continue. */
  readonly force?: boolean;
}

export interface GcItem extends WorktreeView {
  readonly action: 'removed' | 'would-remove' | 'kept';
  readonly reason: string;
  /** After a removal: what still holds the work. */
  readonly commit?: string;
  readonly checkpoint?: string;
}

export async function viewWorktrees(home: WorktreeHome): Promise<WorktreeView[]> {
  const records = await readRecords(home.repo.commonDir);
  const views: WorktreeView[] = [];
  for (const record of records.filter(({ state }) => state === 'ready')) {
    views.push(await view(home, record, await inspect(home, record)));
  }
  return views;
}

/** Looks at every worktree and removes, or only names, those that nobody needs. */
export async function collectWorktrees(home: WorktreeHome, options: GcOptions): Promise<GcItem[]> {
  const sessions = new Map(options.sessions.map((session) => [session.id, session]));
  const items: GcItem[] = [];
  for (const record of await readRecords(home.repo.commonDir)) {
    if (record.state !== 'ready') continue;
    items.push(await collect(home, record, sessions.get(record.id), options));
  }
  return items;
}

async function collect(
  home: WorktreeHome,
  record: WorktreeRecord,
  session: KnownSession | undefined,
  { dryRun = false, force = false }: GcOptions,
): Promise<GcItem> {
  const inspection = await inspect(home, record);
  const seen = await view(home, record, inspection);
  const kept = reasonToKeep(inspection, session, force);
  if (kept !== undefined) return { ...seen, action: 'kept', reason: kept };
  const reason = session ? 'Its session has ended.' : 'No session knows it.';
  if (dryRun) return { ...seen, action: 'would-remove', reason };
  // Asked again under the lock: what was written since the look above must not go unseen.
  const delivered = session?.delivered === true;
  const done = await removeWorktree(home, record.id, { deleteBranch: true, force, delivered });
  if (!done.removed) return { ...seen, action: 'kept', reason: done.message };
  const { commit, checkpoint } = done;
  return {
    ...seen,
    action: 'removed',
    reason,
    ...(commit === undefined ? {} : { commit }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
}

function reasonToKeep(
  inspection: Inspection,
  session: KnownSession | undefined,
  force: boolean,
): string | undefined {
  if (session?.resumable) return 'Its session can still be continued.';
  if (force) return undefined;
  const objection = objectionTo(inspection, { commitsGo: session?.delivered !== true });
  return objection && describeObjection(objection, inspection);
}

async function view(
  { clock }: WorktreeHome,
  record: WorktreeRecord,
  inspection: Inspection,
): Promise<WorktreeView> {
  const { id, path, branch, baseCommit, createdAt } = record;
  const { health, lock, changes, unmerged } = inspection;
  return {
    id,
    path,
    branch,
    baseCommit,
    health,
    ...(lock === undefined ? {} : { lock }),
    uncommitted: changes.length,
    unmerged,
    ageMs: Math.max(0, clock.now() - createdAt),
    bytes: health === 'missing' ? 0 : await diskUse(path),
  };
}
