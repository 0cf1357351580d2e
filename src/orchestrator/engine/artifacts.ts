import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode, errorMessage, UsageError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import type { ArtifactFile } from '../../manifest/worker.ts';

/** Which files are the primary artifact of a block; a program can put its own choice in its place. */
export type ArtifactSelector = (block: ResolvedBlock) => readonly string[] | Promise<readonly string[]>;

const MAX_BYTES = 256 * 1024;

/** Block `artifacts`, else the node's `static_memory.target_files`, else the session's change plan, else none. */
export function defaultSelector(
  manifest: ResolvedManifest,
  plannedFiles: () => readonly string[] | Promise<readonly string[]>,
): ArtifactSelector {
  return (block) => {
    if (block.artifacts) return block.artifacts;
    const targets = manifest.nodes[block.node]?.memory.target_files;
    return isTextList(targets) ? targets : plannedFiles();
  };
}

export async function readArtifacts(
  worktree: string | undefined,
  paths: readonly string[],
): Promise<readonly ArtifactFile[]> {
  if (worktree === undefined || paths.length === 0) return [];
  const root = await realpath(worktree).catch((error: unknown) => {
    throw new UsageError(`The folder of this session cannot be read: ${errorMessage(error)}`, {
      next: 'Put it back where it was, then retry.',
      cause: error,
    });
  });
  return Promise.all(paths.map((path) => readArtifact(root, path)));
}

/** Only files inside the worktree are read, also when a link leads to them from inside. */
async function readArtifact(root: string, path: string): Promise<ArtifactFile> {
  const wanted = resolve(root, path);
  const absent: ArtifactFile = { path, exists: false };
  if (!isInside(root, wanted)) return absent;
  try {
    const real = await realpath(wanted);
    if (!isInside(root, real)) return absent;
    return { path, exists: true, ...(await readCapped(real)) };
  } catch (error) {
    const code = errorCode(error) ?? '';
    return MISSING.has(code) ? absent : { path, exists: true, unreadable: errorMessage(error) };
  }
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

async function readCapped(file: string): Promise<Omit<ArtifactFile, 'path' | 'exists'>> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return { unreadable: 'it is not a regular file' };
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    if (bytesRead <= MAX_BYTES) return { content: buffer.toString('utf8', 0, bytesRead) };
    return { content: `${buffer.toString('utf8', 0, MAX_BYTES)}\n[truncated]`, truncated: true };
  } finally {
    await handle.close();
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

function isTextList(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
