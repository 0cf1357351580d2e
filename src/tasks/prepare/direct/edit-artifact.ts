import type { Artifact } from '../../../backlog/release.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { compareSnapshots } from '../../../workspace/snapshot/compare-snapshots.ts';
import type { Snapshot } from '../../../workspace/snapshot/take-snapshot.ts';
import type { DeliveryRequest } from '../prepared.ts';

/** Sizes are known, contents of before are not: this is what a line is taken to be. */
const BYTES_PER_LINE = 40;

/** What a direct task did to the files: changed, added and removed apart, lines only as an estimate. */
export function directEdit(
  runId: string,
  before: Snapshot,
  now: Snapshot,
  { evidence, cost }: DeliveryRequest,
): { readonly artifact: Artifact; readonly summary: string } {
  const { changed, added, removed } = compareSnapshots(before, now);
  const grown = [...changed, ...added, ...removed].map((path) => sizeOf(now, path) - sizeOf(before, path));
  const estimatedLines: JsonObject = {
    estimate: true,
    bytesPerLine: BYTES_PER_LINE,
    added: lines(grown.filter((bytes) => bytes > 0)),
    removed: lines(grown.filter((bytes) => bytes < 0)),
  };
  const data: JsonObject = { root: now.root, changed, added, removed, estimatedLines, evidence, cost };
  const summary = `${changed.length} changed, ${added.length} added, ${removed.length} removed in ${now.root}.`;
  return { artifact: { type: 'direct_edit', ref: runId, data }, summary };
}

function sizeOf({ files }: Snapshot, path: string): number {
  return files.get(path)?.size ?? 0;
}

function lines(sizes: readonly number[]): number {
  return sizes.reduce((sum, bytes) => sum + Math.ceil(Math.abs(bytes) / BYTES_PER_LINE), 0);
}
