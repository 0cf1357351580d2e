import { BoundGit } from '../../workspace/checkpoints/bound-git.ts';
import { deliversAll, findDelivered } from '../../workspace/delivery/find-delivered.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { readRecords, type WorktreeRecord } from '../../workspace/worktrees/record.ts';
import type { KnownSession } from '../../workspace/worktrees/sessions.ts';
import type { OpenProject } from '../open-project.ts';
import { readSession } from '../session-list.ts';
import { startingSessions } from './starting.ts';

/** What the sessions say about the worktrees there are; one that cannot be read might still go on. */
export async function knownSessions(
  { services, project }: OpenProject,
  repo: Repository,
): Promise<KnownSession[]> {
  const stored = new Set(services.sessions.ids());
  const starting = new Set(startingSessions(project));
  const known: KnownSession[] = [];
  for (const record of await readRecords(repo.commonDir)) {
    const { id } = record;
    if (starting.has(id)) known.push({ id, resumable: true });
    else if (stored.has(id)) {
      const resumable = canGoOn(services.sessions, id);
      known.push({ id, resumable, delivered: !resumable && (await isDelivered(repo, record)) });
    }
  }
  return known;
}

function canGoOn(sessions: OpenProject['services']['sessions'], id: string): boolean {
  const listed = readSession(sessions, id);
  if ('problem' in listed) return true;
  const { status } = listed.snapshot.state;
  return status !== 'completed' && status !== 'aborted';
}

/** Whether some branch of the person's has all that the session's branch has. */
async function isDelivered(repo: Repository, { id, branch }: WorktreeRecord): Promise<boolean> {
  const git = new BoundGit(repo.dir);
  const work = await git.try(['rev-parse', '-q', '--verify', `refs/heads/${branch}`]);
  if (work.code !== 0) return false;
  const commit = await deliveryOf(git, id);
  return commit !== undefined && deliversAll(git, commit, work.stdout.trim());
}

/** The commit that delivered a session, on any branch that is not a session's own. */
export async function deliveryOf(git: BoundGit, id: string): Promise<string | undefined> {
  const names = await git.out(['for-each-ref', '--format=%(refname)', 'refs/heads/']);
  for (const name of names.split('\n')) {
    if (name === '' || name.startsWith('refs/heads/loopwright/')) continue;
    const found = await findDelivered(git, id, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
