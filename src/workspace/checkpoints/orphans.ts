import type { BoundGit } from '../git/bound-git.ts';
import { ROOT } from './ref-names.ts';

/** Checkpoints whose session nobody knows any more. */
export interface Orphan {
  readonly session: string;
  readonly refs: readonly string[];
}

/** Never those of a session that was put aside: it may have come from another clone, and waits to be taken up. */
export async function orphanedCheckpoints(git: BoundGit, known: ReadonlySet<string>): Promise<Orphan[]> {
  const names = await git.out(['for-each-ref', '--format=%(refname)', `${ROOT}/`]);
  const refs = new Map<string, string[]>();
  for (const name of names.split('\n')) {
    const [, session] = /^refs\/loopwright\/([^/]+)\//.exec(name) ?? [];
    if (session !== undefined && !known.has(session)) refs.set(session, [...(refs.get(session) ?? []), name]);
  }
  return [...refs].flatMap(([session, of]) =>
    of.some((name) => name.endsWith('/held')) ? [] : { session, refs: of },
  );
}
