import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeniedError } from '../../kernel/errors.ts';
import { NESTED_ALLOWED, SESSION_MARKER } from '../../process/child-env.ts';
import { isInOurGroup } from '../../process/control-group.ts';
import { type ProcessTable, systemProcesses } from '../../process/process-table.ts';

/** How somebody who calls says who they are. */
export interface Introduction {
  /** What the owner wrote into the folder of the session, which no walled child can read. */
  readonly key: string;
  readonly pid: number;
}

export function newKey(): string {
  return randomBytes(24).toString('hex');
}

/** Where a session is reached, as the owner wrote it into the folder of the session. */
export interface ControlAddress {
  readonly path: string;
  readonly key: string;
}

/**
 * A file that whoever calls must hold open, so that the process it names is seen to be the one that calls: nothing
 * else that Node offers tells who is at the other end of a socket.
 */
export class Proof {
  readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, `p-${randomBytes(6).toString('hex')}`);
  }

  async lay(): Promise<void> {
    await writeFile(this.path, '', { mode: 0o600 });
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** Unknown where the system does not show what a process has open. */
  isHeldBy(pid: number): boolean | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const folder = `/proc/${pid}/fd`;
      return readdirSync(folder).some((fd) => linkIn(join(folder, fd)) === this.path);
    } catch {
      // Gone, or not ours to look into: then it is nobody who may call.
      return false;
    }
  }
}

/** Throws for a caller that is not who they say, or that the session itself has started. */
export function admit(
  session: string,
  said: Introduction,
  expected: { readonly key: string; readonly proof: Proof },
  table: ProcessTable = systemProcesses,
): void {
  if (!isSame(said.key, expected.key) || expected.proof.isHeldBy(said.pid) === false) {
    throw new DeniedError(`Session ${session} is not steered by whoever cannot show who they are.`, {
      next: 'Use the command of the same version, as the user who runs the session.',
    });
  }
  if (said.pid === process.pid) return;
  const isOurs = isBelow(process.pid, said.pid, table) || isInOurGroup(said.pid);
  if (isOurs || isMarked(session, table.environment(said.pid))) {
    throw new DeniedError(
      `Session ${session} is not steered from inside of a session: only a person decides what it asks.`,
      { next: 'Do it in a terminal of your own.' },
    );
  }
}

function isMarked(session: string, environment: string | undefined): boolean {
  const entries = (environment ?? '').split('\0');
  const inside = entries.find((entry) => entry.startsWith(`${SESSION_MARKER}=`));
  if (inside === undefined) return false;
  return inside === `${SESSION_MARKER}=${session}` || !entries.includes(`${NESTED_ALLOWED}=1`);
}

/** Whether a process was started by another one, or by one that it started. */
function isBelow(above: number, pid: number, table: ProcessTable): boolean {
  for (let at = table.row(pid); at !== undefined && at.pid > 1; at = table.row(at.parent)) {
    if (at.parent === above) return true;
  }
  return false;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function linkIn(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Closed since it was listed.
    return undefined;
  }
}
