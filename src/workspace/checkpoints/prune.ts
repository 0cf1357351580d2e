import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { sessionRefs } from './ref-names.ts';

/** Removes every ref of a session, in one transaction. Gives the names; repeating it finds none. */
export async function pruneCheckpoints(repo: string, session: string, run?: RunGit): Promise<string[]> {
  const git = new BoundGit(repo, run);
  const refs = await refsBelow(git, sessionRefs(session));
  if (refs.length === 0) return [];
  const input = refs.map((ref) => `delete ${ref}\n`).join('');
  await git.run(['update-ref', '--stdin'], { input });
  return refs;
}

async function refsBelow(git: BoundGit, prefix: string): Promise<string[]> {
  const names = await git.out(['for-each-ref', '--format=%(refname)', `${prefix}/`]);
  return names.split('\n').filter((ref) => ref !== '');
}
