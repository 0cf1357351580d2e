import { realpath } from 'node:fs/promises';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { asFact } from '../../manifest/segment.ts';
import {
  compareSnapshots,
  type Snapshot,
  type SnapshotChanges,
  takeSnapshot,
} from '../../workspace/snapshot/take-snapshot.ts';
import { readInTree } from '../../workspace/tree-reader.ts';

interface NewSegment {
  readonly type: string;
  readonly content: JsonValue;
  readonly extra?: JsonObject;
}

/** Enough for the next block to know; the rest is in the folder. */
const MOST_FILES = 40;
const LONGEST_FILE = 32 * 1024;

/** Sees what an agent changes in a folder, whatever it says about it. */
export class ChangeWatch {
  readonly #root: string;
  readonly #before: Snapshot;

  constructor(root: string) {
    this.#root = root;
    this.#before = takeSnapshot(root);
  }

  changes(): SnapshotChanges {
    return compareSnapshots(this.#before, takeSnapshot(this.#root));
  }

  /** The changed files as segments: the agent has written them, so nobody needs to write them again. */
  async segments(masks: (text: string) => boolean): Promise<NewSegment[]> {
    const { added, changed } = this.changes();
    const paths = [...added, ...changed];
    if (paths.length === 0) return [];
    const root = await realpath(this.#root);
    const read = await Promise.all(paths.slice(0, MOST_FILES).map((path) => readInTree(root, path)));
    const outputs = read.flatMap(({ path, content }): NewSegment[] =>
      content === undefined || content.length > LONGEST_FILE || content.includes('\0') || masks(content)
        ? []
        : [{ type: 'CODE_OUTPUT', content: { filePath: path, fileContent: content }, extra: asFact({}) }],
    );
    return [...outputs, { type: 'NEW_FILES_IDENTIFIED', content: paths, extra: asFact({}) }];
  }
}
