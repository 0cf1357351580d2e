import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { namesIn } from '../../process/if-there.ts';

/**
 * What we know about a worktree beyond git, kept in the repository's common directory so that a folder deleted
 * by hand does not take it along.
 *
 * creating   the folder, the branch and git's entry may be there in part; undone when found under the lock
 * ready      in use
 * restoring  the folder of a ready one is being made again and may be there in part
 * removing   decided: whoever finds it finishes it
 */
const schema = z.object({
  id: z.string(),
  path: z.string(),
  branch: z.string(),
  /** We made the branch, so undoing the creation removes it. */
  ownBranch: z.boolean(),
  baseCommit: z.string(),
  baseName: z.string().optional(),
  /** Until there is work in it, it goes along when the base branch moves. */
  followsBase: z.boolean().optional(),
  createdAt: z.number(),
  state: z.enum(['creating', 'ready', 'restoring', 'removing']),
  /** While removing: whether the branch goes too. */
  deleteBranch: z.boolean().optional(),
});

export type WorktreeRecord = Readonly<z.infer<typeof schema>>;

const ID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$/;

/** An id becomes a folder, a file and part of a branch name. */
export function checkWorktreeId(id: string): void {
  if (ID.test(id) && !id.includes('..') && !/(?:\.|\.lock)$/i.test(id)) return;
  throw new UsageError(`"${id}" cannot be the id of a worktree.`, {
    next: 'Use letters, digits, ".", "_" and "-", at most 100 of them.',
  });
}

export async function readRecord(commonDir: string, id: string): Promise<WorktreeRecord | undefined> {
  checkWorktreeId(id);
  try {
    const read = schema.safeParse(JSON.parse(await readFile(fileOf(commonDir, id), 'utf8')));
    return read.success && read.data.id === id ? read.data : undefined;
  } catch (error) {
    // A file that a power cut left empty says nothing; git's own entry still shows the worktree.
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function readRecords(commonDir: string): Promise<WorktreeRecord[]> {
  const names = await namesIn(folderOf(commonDir));
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  const records = await Promise.all(ids.filter((id) => ID.test(id)).map((id) => readRecord(commonDir, id)));
  return records.filter((record) => record !== undefined).sort((a, b) => a.createdAt - b.createdAt);
}

/** Only under the repository lock, so the name of the draft cannot be in use. */
export async function writeRecord(commonDir: string, record: WorktreeRecord): Promise<void> {
  const file = fileOf(commonDir, record.id);
  await mkdir(folderOf(commonDir), { recursive: true });
  await writeFile(`${file}.draft`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.draft`, file);
}

export async function dropRecord(commonDir: string, id: string): Promise<void> {
  await rm(`${fileOf(commonDir, id)}.draft`, { force: true });
  await rm(fileOf(commonDir, id), { force: true });
}

function folderOf(commonDir: string): string {
  return join(commonDir, 'loopwright', 'worktrees');
}

function fileOf(commonDir: string, id: string): string {
  return join(folderOf(commonDir), `${id}.json`);
}
