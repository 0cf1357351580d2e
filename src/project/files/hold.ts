import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Plans } from '../../backlog/plans.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError, errorCode } from '../../kernel/errors.ts';
import { isFinal } from '../../orchestrator/state/status.ts';
import { readPlain } from '../../process/plain-file.ts';
import { openStore } from '../../store/open.ts';
import { madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { heldSessions, holdSession, readHeld } from '../../workspace/checkpoints/hold.ts';
import { unholdSession } from '../../workspace/checkpoints/unhold.ts';
import { openRepository } from '../../workspace/git/repository.ts';
import { noteOwner } from '../../workspace/worktrees/owners.ts';
import type { OpenProject } from '../open.ts';
import { fitsId } from '../sessions/find-any.ts';
import { matchSession } from '../sessions/find-id.ts';
import { bringBack } from './bring-back.ts';
import { openKeptSession, refuseOwned } from './opened-session.ts';
import { managerOf } from './worktree-services.ts';

/** Puts a session aside, files and journal, as one ref that can be pushed. */
export async function hold(opened: OpenProject, written: string | undefined) {
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, repo, snapshot } = kept;
  const { status } = snapshot.state;
  if (isFinal(status) || status === 'failed') {
    throw new ConflictError(`Session ${id} is ${status}, so there is nothing to put aside.`, {
      next: action('session.show', 'Look at it', { session: id }),
    });
  }
  const worktree = await bringBack(opened, repo, kept);
  if (status !== 'held') await putAside(opened, id);
  const sessionFolder = join(opened.project.sessions, id);
  const store = openStore(opened.project.folder);
  try {
    await store.plans.hold(id);
    await packPlan(store.plans, id, sessionFolder);
  } finally {
    store.close();
  }
  const held = await holdSession({ worktree: worktree.path, session: id, sessionFolder });
  return { session: id, ...held };
}

async function putAside({ sessions }: OpenProject, id: string): Promise<void> {
  const session = await sessions.open(id);
  try {
    session.changeStatus({ to: 'held', reason: 'put aside by a person' });
  } finally {
    session.release();
  }
}

/** Makes a held session, fetched from another clone, a session here. */
export async function unhold(
  opened: OpenProject,
  written: string,
): Promise<{ readonly session: string; readonly worktree: string }> {
  const repo = await openRepository(opened.project.dir);
  const id = await heldId(repo.dir, written);
  const held = await readHeld(repo.dir, id);
  if (held.head === undefined) {
    throw new ConflictError(`The held session ${id} does not say which commit it started from.`, {
      next: `Look at it: git show ${held.ref}`,
    });
  }
  const manager = managerOf(repo, opened);
  noteOwner(repo, opened.project.dir, id);
  const known = await manager.find(id);
  const worktree = known ? await manager.restore(id) : await manager.create({ id, base: held.head });
  const sessionFolder = join(opened.project.sessions, id);
  const isNew = !existsSync(sessionFolder);
  await unholdSession({ worktree: worktree.path, session: id, sessionFolder });
  if (isNew) await setUp(opened.config, madeFrom(repo, worktree));
  await opened.sessions.moveTo(id, join(worktree.path, repo.prefix));
  const store = openStore(opened.project.folder);
  try {
    await unpackPlan(store.plans, id, sessionFolder);
  } finally {
    store.close();
  }
  return { session: id, worktree: worktree.path };
}

/** What was held in another clone is no session here yet: only its ref knows its whole id. */
async function heldId(repo: string, written: string): Promise<string> {
  const held = await heldSessions(repo);
  return held.some((id) => fitsId(id, written)) ? matchSession(written, held, () => 'held') : written;
}

const FILE = 'plan.json';
const schema = z.object({ plan: z.array(z.string()), priority: z.number() });

/** Puts the plan of a session into its folder, so that it goes along to another clone. */
async function packPlan(plans: Plans, id: string, sessionFolder: string): Promise<void> {
  const place = (await plans.sessions()).find((session) => session.id === id);
  if (!place) return;
  const packed = { plan: await plans.planOf(id), priority: place.priority };
  writeFileSync(join(sessionFolder, FILE), JSON.stringify(packed));
}

/** Puts a session that came from elsewhere in line with the plan it had there; it blocks others until it continues. */
async function unpackPlan(plans: Plans, id: string, sessionFolder: string): Promise<void> {
  const packed = readPacked(join(sessionFolder, FILE));
  if (!packed || (await plans.sessions()).some((session) => session.id === id)) return;
  await plans.enter(id, packed.plan, { priority: packed.priority });
  await plans.hold(id);
}

function readPacked(file: string): z.infer<typeof schema> | undefined {
  try {
    return schema.parse(JSON.parse(readPlain(file).toString('utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
