import { BoundGit } from '../git/bound-git.ts';
import { trackingRef } from './cached-clone.ts';
import { type RemoteGit, RemoteRefusedError, remoteFailure, remoteGit, tryRemote } from './remote-git.ts';

/**
 * Brings a branch of our own to the remote. What is there already is not pushed again; what somebody else put
 * there is never overwritten: the remote must still be where we saw it, and that must be known here.
 */
export async function pushBranch(
  remote: RemoteGit,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<'pushed' | 'there'> {
  const { cwd } = remote;
  const there = await remoteCommit(remote, branch);
  if (there !== commit) {
    if (there !== undefined && !(await isOurs(cwd, branch, there, commit))) throw foreign(branch, there);
    const lease = `--force-with-lease=refs/heads/${branch}:${there ?? ''}`;
    const args = ['push', '-q', lease, 'origin', `${commit}:refs/heads/${branch}`];
    const outcome = await tryRemote(remote, args);
    if (outcome.code !== 0) throw refused(args, branch, outcome);
  }
  await new BoundGit(cwd).run(['update-ref', trackingRef(branch), commit]);
  return there === commit ? 'there' : 'pushed';
}

async function remoteCommit(remote: RemoteGit, branch: string): Promise<string | undefined> {
  const answer = await remoteGit(remote, ['ls-remote', 'origin', `refs/heads/${branch}`]);
  return /^([0-9a-f]{40,})\t/.exec(answer)?.[1];
}

/** Part of what is pushed, or what we pushed ourselves before it was rewritten here. */
async function isOurs(cwd: string, branch: string, there: string, commit: string): Promise<boolean> {
  const git = new BoundGit(cwd);
  const contained = await git.try(['merge-base', '--is-ancestor', there, commit]);
  if (contained.code === 0) return true;
  const known = await git.try(['rev-parse', '-q', '--verify', trackingRef(branch)]);
  return known.code === 0 && known.stdout.trim() === there;
}

function refused(args: readonly string[], branch: string, outcome: Parameters<typeof remoteFailure>[1]) {
  const { stderr } = outcome;
  if (/stale info/.test(stderr)) return foreign(branch, 'something new');
  if (!/\[remote rejected\]|\[rejected\]|hook declined|protected branch/i.test(stderr)) {
    return remoteFailure(args, outcome);
  }
  return new RemoteRefusedError(`The remote refused the push of ${branch}: ${stderr.trim()}`, {
    next: 'Correct what it says (a hook, a protected branch, missing rights); the commit is kept on the branch.',
  });
}

function foreign(branch: string, there: string): RemoteRefusedError {
  return new RemoteRefusedError(
    `The branch ${branch} has commits on the remote that this task does not know (${there}).`,
    { next: 'Look at them and merge or remove that branch on the remote, then repeat the task.' },
  );
}
