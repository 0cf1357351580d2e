import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { ownIdentity, processState, readIdentity } from '../../process/identity.ts';
import type { Project } from '../project.ts';

/**
 * Between the making of a worktree and the first line of its session nobody but this note tells that it is
 * wanted. A note whose process is gone says nothing and is taken away.
 */
export function noteStarting({ folder }: Project, id: string): () => void {
  const file = join(folder, 'starting', id);
  mkdirSync(join(folder, 'starting'), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(ownIdentity()));
  return () => rmSync(file, { force: true });
}

/** The sessions that other processes are about to start. */
export function startingSessions({ folder }: Project): string[] {
  return namesIn(join(folder, 'starting')).filter((id) => {
    const file = join(folder, 'starting', id);
    const author = readNote(file);
    if (author !== undefined && processState(author) !== 'gone') return true;
    rmSync(file, { force: true });
    return false;
  });
}

function readNote(file: string): ReturnType<typeof readIdentity> {
  try {
    return readIdentity(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
