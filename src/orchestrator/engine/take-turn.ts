import type { Session } from '../state/session.ts';
import type { AdmissionPort } from './admission-port.ts';
import type { ExecutorServices } from './executor.ts';

/**
 * Waits until nobody else changes the files this session means to change; false when it gave up waiting. One that is
 * stopped meanwhile gets its turn, in which it ends before any block runs.
 */
export async function takeTurn(
  session: Session,
  admission: AdmissionPort,
  { tree, clock, events }: Pick<ExecutorServices, 'tree' | 'clock' | 'events'>,
  cancel: AbortSignal,
): Promise<boolean> {
  const admitted = await admission.turn(session.state.id, {
    cancel,
    onWait: (waiting) => {
      const { message: reason, sessions } = waiting;
      session.changeStatus({ to: 'waiting', reason, sessions });
      events.emit({ session: session.state.id, type: 'session.waiting', waiting });
    },
  });
  if (!admitted && !cancel.aborted) return false;
  const made = typeof admitted === 'object' ? admitted.made : undefined;
  if (admitted === 'moved' || made) {
    const files = await tree.save?.(0);
    if (files !== undefined) session.record({ t: 'progress', step: 0, note: { type: 'checkpoint', files } });
  }
  // What is known of files that were made only now, and that they are there, is written at once.
  if (made) session.record({ t: 'status', change: { to: 'running' }, added: made, at: clock.now() });
  else if (session.state.status === 'waiting') session.changeStatus({ to: 'running' });
  return true;
}
