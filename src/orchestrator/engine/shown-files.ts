import { createHash } from 'node:crypto';
import type { ContextNote, ShownFile } from '../../manifest/progress-note.ts';
import type { ArtifactFile } from '../../manifest/worker.ts';

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
