import { errorMessage } from '../../kernel/errors.ts';

/**
 * The files of a session as the engine sees them. Where they are kept in git, every step that changed some has
 * a checkpoint; elsewhere there is only the identity that gates compare.
 */
export interface TreePort {
  /** Identifies the files as they are now. */
  identity(): Promise<string>;
  /**
   * Keeps the files as they are after a step, or after a task of it; undefined when nothing changed. With a `tree`
   * that `identity` has just given it need not look at them again.
   */
  save?(step: number, of?: { readonly task?: string; readonly tree?: string }): Promise<string | undefined>;
  /**
   * What is different from a checkpoint, or from how the session found the files; undefined: nobody knows. Files of
   * which no checkpoints are kept are always compared with how the session found them.
   */
  changes?(since?: string): Promise<readonly string[] | undefined>;
  /** Puts paths back to how the session found them. */
  undo?(paths: readonly string[]): Promise<void>;
  /** Puts the files back to a checkpoint; what was there is kept aside. */
  restore?(checkpoint: string): Promise<void>;
}

/** Files that cannot be read are like no other, so no gate is open on them. */
export const UNREADABLE = 'unreadable: ';

export async function identityOf(tree: TreePort): Promise<string> {
  try {
    return await tree.identity();
  } catch (error) {
    return `${UNREADABLE}${errorMessage(error)}`;
  }
}

/** What the session changed; undefined also where the files cannot be looked at, which their checkpoint then says. */
export async function changesOf(tree: TreePort): Promise<readonly string[] | undefined> {
  try {
    return await tree.changes?.();
  } catch {
    return undefined;
  }
}

/** Whether it says which files there are: neither unreadable nor never asked for. */
export function isIdentity(tree: string): boolean {
  return tree !== '' && !tree.startsWith(UNREADABLE);
}

export const NO_TREE: TreePort = { identity: () => Promise.resolve('') };
