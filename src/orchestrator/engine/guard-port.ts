import type { StepRecord } from '../state/record.ts';
import type { TreePort } from './tree-port.ts';

/** Watches over what the children of a session must leave alone: what steers git, and what steers us. */
export interface GuardPort {
  /** Before the first step of a run, when its tree is there. */
  begin(tree: string): Promise<void>;
  /** Where the session kept what is known of it, if that was deleted. */
  missingRecords?(): string | undefined;
  /** Puts right what is known by heart, before anything is looked at; what that was, for a person. */
  putBack?(): readonly string[];
  /** What is not as it was, for a person. */
  changed(): Promise<readonly string[]>;
  /** Whether no file at all is in the tree. */
  isEmptied?(): boolean;
  /** After the last step of a run. */
  end(): void;
}

/** A step after which something is not as it was counts, but nothing follows it before a person has looked. */
export function haltedByGuard(record: StepRecord, changed: readonly string[]): StepRecord {
  const message = `after step ${record.step} these are not as they were before an agent or a command ran: ${changed.join(', ')}`;
  const halt = { reason: 'tampered', message, block: record.block, resumeAt: record.next } as const;
  return { ...record, status: { to: 'halted', halt } };
}

/** What became of a tree in which a step had left nothing. */
export interface Emptied {
  /** How many files are gone. */
  readonly gone: number;
  readonly isBack: boolean;
}

/**
 * Not one file left is nobody's task: whoever deleted them all did it by mistake, or worse. What was there is put back,
 * and a person looks before the block runs again. Undefined: there is something, or there never was.
 */
export async function putBackAll(
  guard: GuardPort | undefined,
  tree: TreePort,
  checkpoint: string | null,
): Promise<Emptied | undefined> {
  if (!guard?.isEmptied?.()) return undefined;
  const since = checkpoint ?? undefined;
  const gone = await tree.changes?.(since);
  if (!gone || gone.length === 0) return undefined;
  if (since !== undefined && tree.restore) await tree.restore(since);
  else await tree.undo?.(gone);
  return { gone: gone.length, isBack: !guard.isEmptied() };
}

export function haltedEmptied(record: StepRecord, { gone, isBack }: Emptied): StepRecord {
  const files = gone === 1 ? 'the only file' : `every file (${gone})`;
  const after = isBack ? 'What was there before is back' : 'What was there could not be put back';
  const message = `step ${record.step} deleted ${files} of the folder it works in. ${after}`;
  const halt = { reason: 'emptied', message, block: record.block, resumeAt: record.block } as const;
  return { ...record, status: { to: 'halted', halt } };
}

export function isTampered({ status }: StepRecord): boolean {
  return status?.to === 'halted' && status.halt.reason === 'tampered';
}
