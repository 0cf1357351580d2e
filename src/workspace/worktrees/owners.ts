import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { readIdentity } from '../../kernel/process-identity.ts';
import { ownIdentity, processState } from '../../process/identity.ts';
import type { Repository } from '../git/repository.ts';

/** Which project a worktree was made for, and whether the process that made it is still there. */
export interface WorktreeOwner {
  readonly project: string;
  readonly alive: boolean;
}

/**
 * Notes, before a worktree is made, who wants it. A repository can have several projects, each with sessions of
 * its own; and until the first line of a session is written, nothing else tells that its worktree is wanted.
 */
export function noteOwner({ commonDir }: Repository, projectDir: string, id: string): void {
  mkdirSync(folderOf(commonDir), { recursive: true });
  writeFileSync(
    join(folderOf(commonDir), id),
    JSON.stringify({ project: projectDir, process: ownIdentity() }),
  );
}

/** The worktree is gone, so nobody wants it. */
export function forgetOwner(commonDir: string, id: string): void {
  rmSync(join(folderOf(commonDir), id), { force: true });
}

export function ownerOf({ commonDir }: Repository, id: string): WorktreeOwner | undefined {
  const note = readNote(join(folderOf(commonDir), id));
  if (typeof note !== 'object' || note === null) return undefined;
  const { project, process } = note as { readonly [key: string]: unknown };
  const maker = readIdentity(process);
  if (typeof project !== 'string' || !maker) return undefined;
  return { project, alive: processState(maker) !== 'gone' };
}

function folderOf(commonDir: string): string {
  return join(commonDir, 'loopwright', 'owners');
}

function readNote(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** What the caller knows about the owner of a worktree: a session, or a task with its sessions. */
export interface KnownSession {
  /** The id its worktree was made with. */
  readonly id: string;
  /** It can still continue: then nothing of it is ever removed. */
  readonly resumable: boolean;
  /** Its result was accepted or discarded, so commits that are merged nowhere may go. */
  readonly delivered?: boolean;
}
