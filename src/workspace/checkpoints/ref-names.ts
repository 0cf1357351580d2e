import { UsageError } from '../../kernel/errors.ts';

/** What a checkpoint ref names: a step, and a stage task of it where that is what was saved. */
export interface CheckpointName {
  readonly step: number;
  readonly task?: string;
}

export const ROOT = 'refs/loopwright';
const SESSION = /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/;
const NAME = /^(\d{1,15})(?:\.(.+))?$/;

export function sessionRefs(session: string): string {
  if (!SESSION.test(session)) throw new UsageError(`"${session}" is not a session id.`);
  return `${ROOT}/${session}`;
}

export function heldRef(session: string): string {
  return `${sessionRefs(session)}/held`;
}

export function asideRef(session: string, number: number): string {
  return `${sessionRefs(session)}/aside/${number}`;
}

export function checkpointRef(session: string, { step, task }: CheckpointName): string {
  if (!Number.isSafeInteger(step) || step < 0) throw new UsageError(`${step} is not the number of a step.`);
  return `${sessionRefs(session)}/${step}${task === undefined ? '' : `.${encoded(task)}`}`;
}

/** Undefined for a ref that is no checkpoint (`held`, `aside/1`). */
export function parseCheckpointName(name: string): CheckpointName | undefined {
  const match = NAME.exec(name);
  if (!match) return undefined;
  const task = match[2];
  return { step: Number(match[1]), ...(task === undefined ? {} : { task: decoded(task) }) };
}

/** What fetches or pushes everything that is kept of all sessions, or of one. */
export function refspec(session?: string): string {
  const refs = session === undefined ? ROOT : sessionRefs(session);
  return `${refs}/*:${refs}/*`;
}

/** Git forbids much in names of refs; `%` and hex digits are always allowed. */
function encoded(task: string): string {
  if (task === '') throw new UsageError('A stage task needs a name.');
  const bytes = Buffer.from(task);
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[0-9A-Za-z_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

function decoded(name: string): string {
  const bytes = name.replaceAll(/%([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
