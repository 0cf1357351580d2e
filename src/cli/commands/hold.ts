import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import { bringBack } from '../../project/files/bring-back.ts';
import { packPlan, unpackPlan } from '../../project/files/held-plan.ts';
import { openKeptSession, refuseOwned } from '../../project/files/opened-session.ts';
import { managerOf } from '../../project/files/session-workspace.ts';
import { openProject } from '../../project/open.ts';
import { openStore } from '../../store/open.ts';
import { madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { holdSession, readHeld } from '../../workspace/checkpoints/hold.ts';
import { unholdSession } from '../../workspace/checkpoints/unhold.ts';
import { openRepository } from '../../workspace/git/repository.ts';
import { noteOwner } from '../../workspace/worktrees/owners.ts';
import type { Screen } from '../output.ts';

export interface HoldOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** Puts a session aside, files and journal, as one ref that can be pushed. */
export async function hold(
  screen: Screen,
  written: string | undefined,
  options: HoldOptions,
): Promise<number> {
  const kept = await openKeptSession(written, options.dir);
  refuseOwned(kept);
  const { opened, id, repo, snapshot } = kept;
  const { status } = snapshot.state;
  if (status === 'completed' || status === 'aborted' || status === 'failed') {
    throw new UsageError(`Session ${id} is ${status}, so there is nothing to put aside.`, {
      next: `Look at it with \`${opened.project.command('show', id)}\`.`,
    });
  }
  const worktree = await bringBack(opened, repo, kept);
  if (status !== 'held') await putAside(kept.opened, id);
  const sessionFolder = join(opened.project.sessions, id);
  const store = openStore(opened.project.folder);
  try {
    await store.plans.hold(id);
    await packPlan(store.plans, id, sessionFolder);
  } finally {
    store.close();
  }
  const held = await holdSession({ worktree: worktree.path, session: id, sessionFolder });
  if (options.json) screen.json({ session: id, ...held });
  else {
    screen.line(`Session ${id} is held as ${held.ref}.`);
    screen.line(`To go on elsewhere: git push origin ${held.ref}:${held.ref}, then there`);
    screen.line(`  git fetch origin ${held.ref}:${held.ref} && loopwright unhold ${id}`);
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('resume', id)}`);
  }
  return 0;
}

async function putAside({ services }: ReturnType<typeof openProject>, id: string): Promise<void> {
  const session = await services.sessions.open(id);
  try {
    session.changeStatus({ to: 'held', reason: 'put aside by a person' });
  } finally {
    session.release();
  }
}

/** Makes a held session, fetched from another clone, a session here. */
export async function unhold(screen: Screen, id: string, options: HoldOptions): Promise<number> {
  const opened = openProject(options.dir);
  const repo = await openRepository(opened.project.dir);
  const held = await readHeld(repo.dir, id);
  if (held.head === undefined) {
    throw new UsageError(`The held session ${id} says nothing of the commit it stood on.`, {
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
  await opened.services.sessions.moveTo(id, join(worktree.path, repo.prefix));
  const store = openStore(opened.project.folder);
  try {
    await unpackPlan(store.plans, id, sessionFolder);
  } finally {
    store.close();
  }
  if (options.json) screen.json({ session: id, worktree: worktree.path });
  else {
    screen.line(`Session ${id} is here, its files are in ${worktree.path}.`);
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('resume', id)}`);
  }
  return 0;
}
