import { SessionBusyError } from '../../kernel/errors.ts';
import type { Delivery } from '../../orchestrator/state/delivery.ts';
import type { StatusChange } from '../../orchestrator/state/record.ts';
import type { OpenProject } from '../open.ts';

/** Says in a session what became of its files; one that says so already, or that is gone, is left alone. */
export async function noteDelivery(
  { sessions }: Pick<OpenProject, 'sessions'>,
  id: string,
  { at = Date.now(), ...delivery }: Omit<Delivery, 'at'> & { readonly at?: number },
  end?: StatusChange,
): Promise<void> {
  if (!sessions.ids().includes(id)) return;
  const { delivery: said, status } = sessions.load(id).state;
  const isSaid =
    said?.kind === delivery.kind && said.commit === delivery.commit && said.base === delivery.base;
  if (isSaid && (end === undefined || status === end.to)) return;
  try {
    const session = await sessions.open(id);
    try {
      session.record({ t: 'delivery', delivery: { ...delivery, at } });
      if (end && session.state.status !== end.to) session.changeStatus(end);
    } finally {
      session.release();
    }
  } catch (error) {
    // Somebody else delivers the very same at this moment, and notes it.
    if (!(error instanceof SessionBusyError)) throw error;
  }
}
