import { tearDown } from '../../tasks/prepare/make-ready.ts';
import { orphanedCheckpoints } from '../../workspace/checkpoints/orphans.ts';
import { pruneCheckpoints } from '../../workspace/checkpoints/prune.ts';
import { clearDeadCandidates } from '../../workspace/delivery/candidate-folder.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import { readRecords } from '../../workspace/worktrees/record.ts';
import type { OpenProject } from '../open.ts';
import { candidatesOf } from './check-candidate.ts';
import { deliveryOf, knownSessions, withDelivered } from './known-sessions.ts';
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
  const checkpoints = await collectCheckpoints(opened, repo, { dryRun, force });
  if (dryRun) return { worktrees: planned, checkpoints, problems: [] };
  await clearDeadCandidates(candidatesOf(opened, repo));
  const problems: string[] = [];
  for (const item of planned)
    if (item.action === 'would-remove') problems.push(...(await tearDown(opened.config, item)));
  return { worktrees: await manager.gc({ sessions, force }), checkpoints, problems };
}

/** Checkpoints that outlived their session: deleted with its folder they would never go otherwise. */
async function collectCheckpoints(
  { project, sessions }: OpenProject,
  repo: Repository,
  { dryRun, force }: Required<GcRequest>,
) {
  const git = new BoundGit(project.dir);
  const worktreeIds = (await readRecords(repo.commonDir)).map(({ id }) => id);
  const orphans = await orphanedCheckpoints(git, new Set([...sessions.ids(), ...worktreeIds]));
  const items = [];
  for (const { session, refs } of orphans) {
    const delivered = (await deliveryOf(git, session)) !== undefined;
    const goes = delivered || force;
    if (goes && !dryRun) await pruneCheckpoints(project.dir, session);
    items.push({
      session,
      refs: refs.length,
      action: goes ? (dryRun ? ('would-remove' as const) : ('removed' as const)) : ('kept' as const),
      reason: delivered
        ? 'Its session is gone, and its work was delivered.'
        : 'Its session is gone, and its work was delivered nowhere.',
    });
  }
  return items;
}
