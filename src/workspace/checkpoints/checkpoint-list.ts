import { LoopwrightError, UsageError } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';
import { type CheckpointName, checkpointRef, parseCheckpointName, ROOT, sessionRefs } from './ref-names.ts';

export interface Checkpoint extends CheckpointName {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  /** Milliseconds, to the second. */
  readonly at: number;
  /** Counts the checkpoints of a session in the order they were made. */
  readonly sequence: number;
}

/** A tree that is kept for the session: a checkpoint, work put aside, or the held state. */
export interface KeptRef {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  readonly at: number;
  readonly sequence: number;
}

/** A checkpoint that should be there is not: its ref was removed by something else. */
export class MissingCheckpointError extends LoopwrightError {
  override readonly kind = 'not-found';
}

export const SEQUENCE = 'Loopwright-Sequence';
const FORMAT = [
  '%(refname)',
  '%(objectname)',
  '%(tree)',
  '%(committerdate:unix)',
  `%(contents:trailers:key=${SEQUENCE},valueonly=true)`,
].join(' ');

/** Everything kept for a session, in the order of the ref names. */
export async function listKept(git: BoundGit, session: string): Promise<KeptRef[]> {
  const { stdout } = await git.run(['for-each-ref', `--format=${FORMAT}`, `${sessionRefs(session)}/`]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [ref = '', commit = '', tree = '', seconds, sequence] = line.split(' ');
    return { ref, commit, tree, at: Number(seconds) * 1000, sequence: Number(sequence || 0) };
  });
}

/** The checkpoints of a session, oldest first. */
export async function listCheckpoints(git: BoundGit, session: string): Promise<Checkpoint[]> {
  const prefix = `${sessionRefs(session)}/`;
  const found = (await listKept(git, session)).flatMap((kept) => {
    const name = parseCheckpointName(kept.ref.slice(prefix.length));
    return name ? [{ ...kept, ...name }] : [];
  });
  return found.sort((a, b) => a.sequence - b.sequence || a.step - b.step);
}

/** What a person or the engine names a saved tree by: a step, `<step>.<task>`, a full ref or a commit. */
export type Target = number | string;

/** The commit that a target names. */
export async function resolveTarget(git: BoundGit, session: string, target: Target): Promise<string> {
  const name = refOf(session, target);
  const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', `${name}^{commit}`]);
  if (code === 0) return stdout.trim();
  throw await missing(git, session, name);
}

function refOf(session: string, target: Target): string {
  if (typeof target === 'number') return checkpointRef(session, { step: target });
  if (target.startsWith(`${ROOT}/`)) return target;
  const name = parseCheckpointName(target);
  // A commit of decimal digits alone would be a step of 40 digits.
  if (name) return checkpointRef(session, name);
  if (/^[0-9a-f]{7,64}$/.test(target)) return target;
  if (target === 'held' || /^aside\/\d+$/.test(target)) return `${sessionRefs(session)}/${target}`;
  throw new UsageError(`"${target}" names no checkpoint.`, {
    next: 'Name it by its step (7), by step and task (7.build), by its ref or by its commit.',
  });
}

async function missing(git: BoundGit, session: string, name: string): Promise<MissingCheckpointError> {
  const kept = await listKept(git, session);
  const names = kept.map(({ ref }) => ref.slice(sessionRefs(session).length + 1));
  const there = names.length === 0 ? 'nothing of this session is left' : `still there: ${names.join(', ')}`;
  return new MissingCheckpointError(
    `The checkpoint ${name} is not in the repository ${git.cwd} (${there}).`,
    {
      next:
        names.length === 0
          ? `If it was pushed, fetch it: git fetch origin "refs/loopwright/${session}/*:refs/loopwright/${session}/*"`
          : 'Choose one of those that are there, or look for the commit with: git fsck --lost-found',
    },
  );
}
