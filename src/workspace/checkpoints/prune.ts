import { BoundGit, type RunGit } from './bound-git.ts';
import { ROOT, sessionRefs } from './ref-names.ts';

/** Removes every ref of a session, in one transaction. Gives the names; repeating it finds none. */
export async function pruneCheckpoints(repo: string, session: string, run?: RunGit): Promise<string[]> {
  const git = new BoundGit(repo, run);
  const refs = await refsBelow(git, sessionRefs(session));
  if (refs.length === 0) return [];
  const input = refs.map((ref) => `delete ${ref}\n`).join('');
  await git.run(['update-ref', '--stdin'], { input });
  return refs;
}

/** The sessions that have refs in a repository. */
export async function sessionsWithCheckpoints(repo: string, run?: RunGit): Promise<string[]> {
  const refs = await refsBelow(new BoundGit(repo, run), ROOT);
  return [...new Set(refs.flatMap((ref) => ref.split('/')[2] ?? []))].sort();
}

async function refsBelow(git: BoundGit, prefix: string): Promise<string[]> {
  const names = await git.out(['for-each-ref', '--format=%(refname)', `${prefix}/`]);
  return names.split('\n').filter((ref) => ref !== '');
}
