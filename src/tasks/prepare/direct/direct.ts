import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Artifact } from '../../../backlog/release.ts';
import { UsageError } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { compareSnapshots, type Snapshot, takeSnapshot } from '../../../workspace/snapshot/take-snapshot.ts';
import { createTreeFingerprint } from '../../../workspace/tree-fingerprint.ts';
import { worktreeIdOf } from '../git/names.ts';
import { baselinePayload, checkUntouched, redNotes } from '../make-ready.ts';
import type { DeliveryRequest, Prepare, PrepareOptions } from '../prepared.ts';
import { beginningOf } from './beginning.ts';
import { directTree } from './direct-tree.ts';
import { gitControl } from './git-control.ts';
import { directInspection } from './inspection.ts';
import { RunFolders } from './run-folder.ts';

/** Works on the project's own files. There are no checkpoints, so a session continues with the files as they are. */
export function direct(options: PrepareOptions): Prepare {
  const { config } = options;
  const { stateDir } = config;
  return async (claim, cancel) => {
    const root = await directRoot(options);
    const folders = new RunFolders(stateDir);
    const { task, runId } = claim;
    const check = async () => {
      const place = { id: worktreeIdOf(task.id), path: root, commit: '' };
      const { checks, checkTimeoutMs } = options;
      const baseline = await checkUntouched(config, place, checks?.(claim, root) ?? [], {
        cancel,
        checkTimeoutMs,
      });
      if (cancel.aborted) throw new UsageError('It was interrupted before the task began.');
      return baseline;
    };
    const beginning = await beginningOf(root, folders, claim, check);
    const { before, run, baseline } = beginning;
    const trash = join(stateDir, 'trash', runId);
    const fingerprint = createTreeFingerprint(root);
    const taskTree = directTree({
      root,
      beginning,
      folders,
      trash,
      identity: () => fingerprint.fingerprint(),
    });
    return {
      path: root,
      taskTree,
      inspection: directInspection(config, {
        run,
        root,
        before,
        copyOf: (path) => folders.copyOf(run, path),
        folder: folders.inspectionOf(run),
        look: taskTree.before,
      }),
      tree: { identity: () => fingerprint.fingerprint() },
      payload: baselinePayload(baseline),
      notes: [
        ...(baseline ? redNotes(baseline) : []),
        ...before.unread.map((path) => `${path} cannot be read, so what happens there is not seen`),
        ...uncopiedNotes(beginning.uncopied),
      ],
      async deliver(request) {
        const { artifact, summary } = directEdit(runId, before, takeSnapshot(root), request);
        return { artifacts: [artifact], review: false, summary };
      },
      async close({ ended = false, cancelled = false } = {}) {
        if (ended && !cancelled) return folders.forget(task.id);
        const now = takeSnapshot(root);
        const { changed, added, removed } = compareSnapshots(before, now);
        const paths = [...changed, ...added, ...removed];
        const left = new Map(paths.map((path) => [path, now.files.get(path) ?? null]));
        await folders.leave(run, left, gitControl(root));
      },
    };
  };
}

const MOST_NAMED = 5;

/** A person must know before the agent comes what could not be put back after it. */
function uncopiedNotes(uncopied: readonly string[]): string[] {
  if (uncopied.length === 0) return [];
  const more = uncopied.length - MOST_NAMED;
  const names = uncopied.slice(0, MOST_NAMED).join(', ');
  return [
    `no copy is kept of ${names}${more > 0 ? ` and ${more} more` : ''}: too large, so a change of it cannot be put back`,
  ];
}

/** LOCAL_REPO_PATH, else the project; looked at before anything is changed. */
async function directRoot({ config, repository }: PrepareOptions): Promise<string> {
  const dir = repository.path === '' ? config.projectDir : resolve(config.projectDir, repository.path);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return realpath(dir);
  const named = repository.path === '' ? 'The project' : 'LOCAL_REPO_PATH';
  throw new UsageError(`${named} is ${dir}, which is not a folder that is there.`, {
    next: 'Set LOCAL_REPO_PATH (repository.path in .loopwright/config.json) to the folder to work in.',
  });
}

/** Sizes are known, contents of before are not: this is what a line is taken to be. */
const BYTES_PER_LINE = 40;

/** What a direct task did to the files: changed, added and removed apart, lines only as an estimate. */
function directEdit(
  runId: string,
  before: Snapshot,
  now: Snapshot,
  { evidence, cost, tree }: DeliveryRequest,
): { readonly artifact: Artifact; readonly summary: string } {
  const { changed, added, removed } = compareSnapshots(before, now);
  const grown = [...changed, ...added, ...removed].map((path) => sizeOf(now, path) - sizeOf(before, path));
  const estimatedLines: JsonObject = {
    estimate: true,
    bytesPerLine: BYTES_PER_LINE,
    added: lines(grown.filter((bytes) => bytes > 0)),
    removed: lines(grown.filter((bytes) => bytes < 0)),
  };
  const made: JsonObject = { root: now.root, changed, added, removed, estimatedLines, evidence, cost };
  const data = tree === undefined ? made : { ...made, tree };
  const summary = `${changed.length} changed, ${added.length} added, ${removed.length} removed in ${now.root}.`;
  return { artifact: { type: 'direct_edit', ref: runId, data }, summary };
}

function sizeOf({ files }: Snapshot, path: string): number {
  return files.get(path)?.size ?? 0;
}

function lines(sizes: readonly number[]): number {
  return sizes.reduce((sum, bytes) => sum + Math.ceil(Math.abs(bytes) / BYTES_PER_LINE), 0);
}
