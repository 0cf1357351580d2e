import { tearDown } from '../../tasks/prepare/make-ready.ts';
import { openRepository } from '../../workspace/git/repository.ts';
import type { OpenProject } from '../open.ts';
import { knownSessions, withDelivered } from './known-sessions.ts';
import { managerOf } from './worktree-services.ts';

/** Every worktree of a session or task, and what was found wrong and put right on the way. */
export async function worktrees(opened: OpenProject) {
  const repo = await openRepository(opened.project.dir);
  const manager = managerOf(repo, opened);
  const findings = await manager.reconcile(await knownSessions(opened, repo));
  return { worktrees: await manager.list(), findings };
}

export interface GcRequest {
  /** Only say what would be removed. */
  readonly dryRun?: boolean;
  /** Also uncommitted or unmerged work of ended sessions. */
  readonly force?: boolean;
}

/** Removes the worktrees of ended sessions; never uncommitted or unmerged work unless forced. */
export async function gc(opened: OpenProject, { dryRun = false, force = false }: GcRequest = {}) {
  const repo = await openRepository(opened.project.dir);
  const manager = managerOf(repo, opened);
  const sessions = await withDelivered(repo, await knownSessions(opened, repo));
  const planned = await manager.gc({ sessions, dryRun: true, force });
  if (dryRun) return { worktrees: planned, problems: [] };
  const problems: string[] = [];
  for (const item of planned)
    if (item.action === 'would-remove') problems.push(...(await tearDown(opened.config, item)));
  return { worktrees: await manager.gc({ sessions, force }), problems };
}
