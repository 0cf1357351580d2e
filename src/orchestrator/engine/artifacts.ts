import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { errorMessage, UsageError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { ContextNote, ShownFile } from '../../manifest/progress-note.ts';
import type { ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import type { ArtifactFile } from '../../manifest/worker.ts';
import { readInTree } from '../../workspace/tree-reader.ts';

/** Which files are the primary artifact of a block; a program can put its own choice in its place. */
export type ArtifactSelector = (block: ResolvedBlock) => readonly string[] | Promise<readonly string[]>;

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
  return Promise.all(paths.map((path) => readInTree(root, path)));
}

function isTextList(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** What is noted of the files that a block is shown: enough to know them again, and no copy of them. */
export function shownNote(files: readonly ArtifactFile[]): ContextNote {
  return { type: 'context', files: files.map(shownFile) };
}

export function shownFile({ path, content }: ArtifactFile): ShownFile {
  return content === undefined ? { path } : { path, digest: digestOf(content) };
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
