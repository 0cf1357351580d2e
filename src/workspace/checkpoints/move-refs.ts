import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { listCheckpoints, listKept } from './checkpoint-list.ts';
import { asideRef, checkpointRef, sessionRefs } from './ref-names.ts';

/** A session that was taken back to a step has no later checkpoints; they are kept aside. Gives their new names. */
export async function setAsideAfter(
  repo: string,
  session: string,
  step: number,
  run?: RunGit,
): Promise<string[]> {
  const git = new BoundGit(repo, run);
  const later = (await listCheckpoints(git, session)).filter((checkpoint) => checkpoint.step > step);
  if (later.length === 0) return [];
  const prefix = `${sessionRefs(session)}/aside/`;
  const numbers = (await listKept(git, session)).map(({ ref }) =>
    ref.startsWith(prefix) ? Number(ref.slice(prefix.length)) : 0,
  );
  const first = Math.max(0, ...numbers) + 1;
  const moves = later.map(({ ref, commit }, i) => ({ ref, commit, to: asideRef(session, first + i) }));
  const input = moves
    .map(({ ref, commit, to }) => `create ${to} ${commit}\ndelete ${ref} ${commit}\n`)
    .join('');
  await git.run(['update-ref', '--stdin'], { input });
  return moves.map(({ to }) => to);
}

/** Gives a session that begins where another one was after a step the checkpoints up to there. */
export async function copyCheckpoints(
  repo: string,
  { from, to, step }: { readonly from: string; readonly to: string; readonly step: number },
  run?: RunGit,
): Promise<void> {
  const git = new BoundGit(repo, run);
  const earlier = (await listCheckpoints(git, from)).filter((checkpoint) => checkpoint.step <= step);
  const input = earlier.map((checkpoint) => `create ${checkpointRef(to, checkpoint)} ${checkpoint.commit}\n`);
  if (input.length > 0) await git.run(['update-ref', '--stdin'], { input: input.join('') });
}
