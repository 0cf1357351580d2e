import type { StepRecord } from '../state/record.ts';

/** Watches over what the children of a session must leave alone: what steers git, and what steers us. */
export interface GuardPort {
  /** Before the first step of a run, when its tree is there. */
  begin(tree: string): Promise<void>;
  /** What is not as it was, for a person. */
  changed(): Promise<readonly string[]>;
  /** After the last step of a run. */
  end(): void;
}

/** A step after which something is not as it was counts, but nothing follows it before a person has looked. */
export function haltedByGuard(record: StepRecord, changed: readonly string[]): StepRecord {
  const message = `after step ${record.step} these are not as they were before an agent or a command ran: ${changed.join(', ')}`;
  const halt = { reason: 'tampered', message, block: record.block, resumeAt: record.next } as const;
  return { ...record, status: { to: 'halted', halt } };
}

export function isTampered({ status }: StepRecord): boolean {
  return status?.to === 'halted' && status.halt.reason === 'tampered';
}
