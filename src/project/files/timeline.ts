import type { OpenProject } from '../open.ts';
import { openKeptSession } from './opened-session.ts';

/** Every step of a session, and which of them changed files. */
export async function timeline(opened: OpenProject, written: string | undefined) {
  const { id, snapshot, checkpoints } = await openKeptSession(opened, written);
  return {
    session: id,
    steps: snapshot.state.trail.toArray(),
    checkpoints: await checkpoints.timeline(),
  };
}
