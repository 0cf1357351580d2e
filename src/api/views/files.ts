import * as z from 'zod';
import { action, count, delivery, entry, list, text } from '../shapes.ts';

/** The files of sessions: what changed, going back, and what becomes of it. */

const fileChange = z.strictObject({
  path: text,
  from: text.exactOptional(),
  kind: z.enum(['added', 'deleted', 'modified', 'renamed', 'copied', 'type-changed']),
  insertions: count,
  deletions: count,
  binary: z.boolean(),
});
const summary = { files: z.array(fileChange), insertions: count, deletions: count };

export const diff = { session: text, delivery: delivery.nullable(), ...summary, text };

export const timeline = {
  session: text,
  steps: z.array(entry),
  checkpoints: z.array(
    z.strictObject({
      ref: text,
      commit: text,
      tree: text,
      sequence: count,
      step: count,
      task: text.exactOptional(),
      at: count,
      added: count,
      modified: count,
      deleted: count,
    }),
  ),
};

export const fork = { session: text, from: text, step: count, worktree: text, branch: text };
export const rewind = { session: text, step: count, checkpoint: text, aside: list };
export const hold = {
  session: text,
  ref: text,
  commit: text,
  tree: text,
  sessionTree: text,
  head: text.exactOptional(),
  branch: text.exactOptional(),
};
export const unhold = { session: text, worktree: text };

export const accept = {
  session: text,
  base: text,
  kind: z.enum(['accepted', 'already-accepted', 'nothing-to-accept', 'proposed']),
  commit: text.exactOptional(),
  branch: text.exactOptional(),
  /** Of the pull request. */
  url: text.exactOptional(),
  change: z.strictObject(summary).exactOptional(),
  checkout: text.exactOptional(),
};

export const undo = {
  session: text,
  base: text,
  kind: z.enum(['undone', 'already-undone']),
  commit: text.exactOptional(),
  undoes: text,
  awaitsVerdict: z.boolean().exactOptional(),
  change: z.strictObject(summary).exactOptional(),
  checkout: text.exactOptional(),
};

export const keep = {
  session: text,
  branch: text,
  kind: z.literal('kept'),
  commit: text,
  change: z.strictObject({ ...summary, base: text, branch: text, from: text, commit: text }),
};

export const discard = {
  session: text,
  kind: z.literal('discarded'),
  removed: list,
  commit: text.exactOptional(),
  problems: list,
};

const holder = z.strictObject({ kind: z.enum(['session', 'task']), id: text });
export const conflicts = {
  sessions: z.array(
    z.strictObject({
      id: text,
      status: z.enum(['waiting', 'active', 'held']),
      priority: count,
      since: count,
    }),
  ),
  conflicts: z.array(z.strictObject({ between: z.tuple([holder, holder]), path: text })),
};

const worktree = {
  id: text,
  path: text,
  branch: text,
  baseCommit: text,
  health: text,
  lock: text.exactOptional(),
  uncommitted: count,
  unmerged: count,
  ageMs: count,
  bytes: count,
};
const finding = z.strictObject({
  kind: text,
  id: text,
  path: text,
  healed: z.boolean(),
  message: text,
  next: action.exactOptional(),
});
export const worktrees = { worktrees: z.array(z.strictObject(worktree)), findings: z.array(finding) };
export const gc = {
  worktrees: z.array(
    z.strictObject({
      ...worktree,
      action: z.enum(['removed', 'would-remove', 'kept']),
      reason: text,
      commit: text.exactOptional(),
      checkpoint: text.exactOptional(),
    }),
  ),
  checkpoints: z.array(
    z.strictObject({
      session: text,
      refs: count,
      action: z.enum(['removed', 'would-remove', 'kept']),
      reason: text,
    }),
  ),
  problems: list,
};
