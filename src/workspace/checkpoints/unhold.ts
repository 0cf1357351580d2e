import { LoopwrightError } from '../../kernel/errors.ts';
import { isThere } from '../../process/if-there.ts';
import type { RunGit } from '../git/bound-git.ts';
import { readFolder, writeFolder } from './folder-tree.ts';
import { readHeld } from './hold.ts';
import { openWorktree } from './open-worktree.ts';
import { type Restored, restoreTree } from './restore.ts';

export interface UnholdOptions {
  /** A worktree that exists, made where `readHeld` says the held one stood. */
  readonly worktree: string;
  readonly session: string;
  readonly sessionFolder: string;
  readonly exclude?: readonly string[];
  readonly run?: RunGit;
}

export interface Unheld {
  readonly files: Restored;
  /** `there`: an earlier call had written it, or the session was held on this machine. */
  readonly sessionFolder: 'written' | 'there';
}

/**
 * Puts the files and the session folder back as they were held, on any clone that has the ref. The session
 * folder comes last and at once: a session that can be seen has its files. The ref stays until the session is
 * held again or pruned.
 */
export async function unholdSession(options: UnholdOptions): Promise<Unheld> {
  const { session, sessionFolder } = options;
  const { git, gitDir, index } = await openWorktree(options.worktree, options);
  const held = await readHeld(git.cwd, session, options.run);
  const folderIsThere = await isThere(sessionFolder);
  if (folderIsThere && (await writeFolder(git, gitDir, sessionFolder)) !== held.sessionTree) {
    throw new LoopwrightError(
      `Session ${session} is on this machine already, in ${sessionFolder}, in another state than it was held in.`,
      { next: 'Go on with that one, or move the folder away and try again. Nothing was changed.' },
    );
  }
  const files = await restoreTree(index, session, { commit: held.commit, tree: held.tree });
  if (folderIsThere) return { files, sessionFolder: 'there' };
  await readFolder(git, gitDir, held.sessionTree, sessionFolder);
  return { files, sessionFolder: 'written' };
}
