import { CorruptSessionError } from '../../kernel/errors.ts';
import { readNotes } from '../../manifest/read-note.ts';
import { type Conversations, conversationsAt } from './conversations.ts';
import { correctedDigest } from './corrected-digest.ts';
import { fold } from './fold.ts';
import type { JournalRecord } from './record.ts';
import { endOfStep } from './step-position.ts';

export interface Fork {
  readonly id: string;
  /** The session it comes from. */
  readonly from: string;
  readonly at: number;
  /** Absent: those of the session it comes from. */
  readonly worktree?: string;
  readonly files?: string;
}

/** The journal of a session that begins with what another one was at the end of a step. */
export function forkRecords(
  records: readonly JournalRecord[],
  step: number,
  fork: Fork,
): readonly JournalRecord[] {
  const taken = records.slice(0, endOfStep(records, step));
  const created = taken.find((record) => record.t === 'created');
  if (!created) throw new CorruptSessionError('The journal of the session to fork has no beginning.');
  const { worktree = created.worktree, files = created.files } = fork;
  const place = {
    ...(worktree === undefined ? {} : { worktree }),
    ...(files === undefined ? {} : { files }),
  };
  const forked = { t: 'forked', from: created.id, step, at: fork.at } as const;
  // It begins with the manifest that counted at that step, as if it had been started with it.
  const digest = correctedDigest(taken) ?? created.digest;
  const past = { ...created, id: fork.id, at: fork.at, digest, ...place };
  const forkedFrom = { session: fork.from, step };
  // What the session itself had only as a copy, or not at all, its fork has neither.
  const conversations = {
    ...conversationsAt(records, taken.length, 'fork'),
    ...goneIn(fold(taken, fork.from).conversations),
  };
  return [{ ...past, forkedFrom, conversations }, ...taken.flatMap(asPast), forked];
}

function goneIn(conversations: Conversations): Conversations {
  return Object.fromEntries(Object.entries(conversations).filter(([, may]) => may === 'no'));
}

/** What a fork takes over: what was done and said, not who owned it or why it stood still. */
function asPast(record: JournalRecord): JournalRecord[] {
  if (record.t === 'continued' || record.t === 'usage') return [record];
  if (record.t === 'progress') {
    const kept = readNotes(record.note).filter(({ type }) => type !== 'checkpoint');
    return kept.map((note) => ({ ...record, note }));
  }
  if (record.t !== 'step') return [];
  const { status: _status, files: _files, ...rest } = record;
  return [rest];
}
