import type { BoundGit } from './bound-git.ts';

/** Checkpoints are loopwright's, not the user's: they need no configured identity. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'loopwright',
  GIT_AUTHOR_EMAIL: 'loopwright@localhost',
  GIT_COMMITTER_NAME: 'loopwright',
  GIT_COMMITTER_EMAIL: 'loopwright@localhost',
};

export interface OwnCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly subject: string;
  readonly body?: string | undefined;
  readonly trailers: { readonly [name: string]: string | number | undefined };
}

/** Writes a commit that no ref names yet. */
export function writeOwnCommit(git: BoundGit, commit: OwnCommit): Promise<string> {
  const parents = [...new Set(commit.parents)].flatMap((parent) => ['-p', parent]);
  const args = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', commit.tree, ...parents, '-F', '-'];
  return git.out(args, { input: messageOf(commit), env: IDENTITY });
}

export function messageOf({ subject, body, trailers }: Pick<OwnCommit, 'subject' | 'body' | 'trailers'>) {
  const lines = Object.entries(trailers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${oneLine(String(value))}`],
  );
  const text = body?.trim() ?? '';
  return [oneLine(subject), ...(text === '' ? [] : [text]), lines.join('\n')].join('\n\n').concat('\n');
}

/** A line end would let a task's name or a goal write trailers of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The commit that a worktree stands on; undefined before the first one. */
export async function headCommit(git: BoundGit): Promise<string | undefined> {
  const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', 'HEAD^{commit}']);
  return code === 0 ? stdout.trim() : undefined;
}

/** The id of a tree without files, whatever hash the repository uses. */
export function emptyTree(git: BoundGit): Promise<string> {
  return git.out(['hash-object', '-t', 'tree', '--stdin'], { input: '' });
}
