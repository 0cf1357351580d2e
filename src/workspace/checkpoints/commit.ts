import type { BoundGit } from '../git/bound-git.ts';
import { writeLooseCommit } from './loose-commit.ts';

/** Checkpoints are loopwright's, not the user's: they need no configured identity. */
const NAME = 'loopwright';
const EMAIL = 'loopwright@localhost';
const IDENTITY = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
};

export interface OwnCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly subject: string;
  readonly body?: string | undefined;
  readonly trailers: { readonly [name: string]: string | number | undefined };
}

/** Writes a commit that no ref names yet; without starting git where a folder for its object is given. */
export async function writeOwnCommit(git: BoundGit, commit: OwnCommit, objects?: string): Promise<string> {
  const parents = [...new Set(commit.parents)];
  const message = messageOf(commit);
  if (objects !== undefined) {
    const who = `${NAME} <${EMAIL}> ${Math.floor(Date.now() / 1000)} +0000`;
    const lines = [
      `tree ${commit.tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${who}`,
      `committer ${who}`,
    ];
    return writeLooseCommit(objects, Buffer.from(`${lines.join('\n')}\n\n${message}`), commit.tree.length);
  }
  const named = parents.flatMap((parent) => ['-p', parent]);
  const args = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', commit.tree, ...named, '-F', '-'];
  return git.out(args, { input: message, env: IDENTITY });
}

function messageOf({ subject, body, trailers }: Pick<OwnCommit, 'subject' | 'body' | 'trailers'>) {
  const lines = Object.entries(trailers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${oneLine(String(value))}`],
  );
  // Git allows no NUL in a message.
  const text = body?.replaceAll('\0', '').trim() ?? '';
  return [oneLine(subject), ...(text === '' ? [] : [text]), lines.join('\n')].join('\n\n').concat('\n');
}

/** A line end would let a task's name or a goal write trailers of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\0]+/g, ' ').trim();
}

/** The commit that a worktree stands on; undefined before the first one. */
export async function headCommit(git: BoundGit): Promise<string | undefined> {
  const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', 'HEAD^{commit}']);
  return code === 0 ? stdout.trim() : undefined;
}

/** The commit that a worktree stands on, with its tree; undefined before the first one. */
export async function headOf(
  git: BoundGit,
): Promise<{ readonly commit: string; readonly tree: string } | undefined> {
  const { code, stdout } = await git.try(['rev-parse', '-q', 'HEAD^{commit}', 'HEAD^{tree}']);
  const [commit = '', tree = ''] = stdout.split('\n');
  return code === 0 ? { commit, tree } : undefined;
}

/** The id of a tree without files, whatever hash the repository uses. */
export function emptyTree(git: BoundGit): Promise<string> {
  return git.out(['hash-object', '-t', 'tree', '--stdin'], { input: '' });
}
