import { LoopwrightError } from '../../kernel/errors.ts';
import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { listCheckpoints, MissingCheckpointError } from './checkpoint-list.ts';
import { headCommit, writeOwnCommit } from './commit.ts';
import { writeFolder } from './folder-tree.ts';
import { openWorktree } from './open-worktree.ts';
import { heldRef, ROOT, refspec } from './ref-names.ts';

export interface HoldOptions {
  readonly worktree: string;
  readonly session: string;
  /** The folder with journal, manifest, session.json and logs. */
  readonly sessionFolder: string;
  readonly exclude?: readonly string[];
  readonly message?: string;
  readonly run?: RunGit;
}

export interface HeldSession {
  readonly ref: string;
  readonly commit: string;
  /** The tree of the worktree's files. */
  readonly tree: string;
  /** The tree of the session folder. */
  readonly sessionTree: string;
  /** What the worktree stood on: where to put a new one. */
  readonly head: string | undefined;
  readonly branch: string | undefined;
}

/** The held tree has two entries, so nothing of one can meet a name of the other. */
const FILES = 'files';
const SESSION = 'session';
const HEAD = 'Loopwright-Head';
const BRANCH = 'Loopwright-Branch';

/**
 * Writes files and session folder as one commit below the session's refs. Its parents are the newest
 * checkpoint and HEAD, so pushing this one ref takes along all that a new worktree needs; and what was held
 * before, so that pushing it again needs no force. Holding what is held already changes nothing.
 */
export async function holdSession(options: HoldOptions): Promise<HeldSession> {
  const { session, sessionFolder, message } = options;
  const ref = heldRef(session);
  const { git, gitDir, index } = await openWorktree(options.worktree, options);
  const tree = await index.stage();
  const sessionTree = await writeFolder(git, gitDir, sessionFolder);
  const root = await git.out(['mktree'], {
    input: `040000 tree ${tree}\t${FILES}\n040000 tree ${sessionTree}\t${SESSION}\n`,
  });
  const [head, branch] = await Promise.all([headCommit(git), currentBranch(git)]);
  const earlier = await git.try(['rev-parse', `${ref}^{commit}`, `${ref}^{tree}`]);
  const [heldBefore, rootBefore] = earlier.code === 0 ? earlier.stdout.trim().split('\n') : [];
  const facts = { ref, tree, sessionTree, head, branch };
  if (heldBefore !== undefined && rootBefore === root) return { ...facts, commit: heldBefore };
  const newest = (await listCheckpoints(git, session)).at(-1)?.commit;
  const commit = await writeOwnCommit(git, {
    tree: root,
    parents: [newest, head, heldBefore].filter((parent) => parent !== undefined),
    subject: `loopwright: session ${session}, held`,
    body: message,
    trailers: { 'Loopwright-Session': session, [HEAD]: head, [BRANCH]: branch },
  });
  await git.run(['update-ref', ref, commit]);
  return { ...facts, commit };
}

/** What is held of a session in a repository, for whoever makes the worktree it continues in. */
export async function readHeld(repo: string, session: string, run?: RunGit): Promise<HeldSession> {
  const ref = heldRef(session);
  const git = new BoundGit(repo, run);
  const found = await git.try(['rev-parse', '-q', '--verify', `${ref}^{commit}`]);
  if (found.code !== 0) throw notHeld(repo, session, ref);
  const commit = found.stdout.trim();
  const trees = await git.try(['rev-parse', `${commit}:${FILES}`, `${commit}:${SESSION}`]);
  if (trees.code !== 0) {
    throw new LoopwrightError(`${ref} in ${repo} does not contain a held session.`, {
      next: `Look at it: git show ${ref}`,
    });
  }
  const [tree = '', sessionTree = ''] = trees.stdout.trim().split('\n');
  const trailer = (key: string) =>
    git.out(['log', '-1', `--format=%(trailers:key=${key},valueonly,separator=)`, commit]);
  const [head, branch] = await Promise.all([trailer(HEAD), trailer(BRANCH)]);
  return { ref, commit, tree, sessionTree, head: head || undefined, branch: branch || undefined };
}

/** The sessions that are held in a repository, by their whole ids. */
export async function heldSessions(repo: string): Promise<string[]> {
  const pattern = `${ROOT}/*/held`;
  const refs = await new BoundGit(repo).out(['for-each-ref', '--format=%(refname)', pattern]);
  return refs.split('\n').flatMap((ref) => ref.split('/')[2] ?? []);
}

function notHeld(repo: string, session: string, ref: string): MissingCheckpointError {
  return new MissingCheckpointError(`Session ${session} is not held in ${repo}: there is no ${ref}.`, {
    next: `If it was held in another clone, push it there and fetch it here: git fetch origin "${refspec(session)}"`,
  });
}

async function currentBranch(git: BoundGit): Promise<string | undefined> {
  const { code, stdout } = await git.try(['symbolic-ref', '-q', '--short', 'HEAD']);
  return code === 0 ? stdout.trim() : undefined;
}
