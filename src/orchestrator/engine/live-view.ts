import type { EventStream } from '../../kernel/events.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { ContextSegment, ExecutionPayload } from '../../manifest/segment.ts';
import type { EngineEvent } from '../events.ts';
import type { TrailEntry } from '../state/session-state.ts';

export type BlockStatus = 'pending' | 'active' | 'complete' | 'failed';

/** The current node as a display shows it: its blocks, the last transition, what went in and out of each block. */
export interface LiveView {
  readonly session: string;
  readonly node: string;
  readonly blocks: readonly { readonly id: string; readonly status: BlockStatus }[];
  readonly lastTransition: Pick<TrailEntry, 'block' | 'signal' | 'action' | 'next'> | null;
  readonly log: { readonly [block: string]: BlockLog };
  readonly ended: boolean;
}

interface BlockLog {
  readonly input: ExecutionPayload;
  readonly output: readonly ContextSegment[];
}

/** Folds the event stream into views and hands each to `show`; nothing is computed when nobody asks. */
export function publishViews(
  manifest: ResolvedManifest,
  events: EventStream<EngineEvent>,
  show: (view: LiveView) => void,
): () => void {
  const statuses = new Map<string, BlockStatus>();
  const log: Record<string, BlockLog> = {};
  let node = '';
  let lastTransition: LiveView['lastTransition'] = null;
  const publish = (session: string, ended: boolean): void => {
    const order = manifest.nodes[node]?.order ?? [];
    const blocks = order.map((id) => ({ id, status: statuses.get(id) ?? 'pending' }));
    show({ session, node, blocks, lastTransition, log: { ...log }, ended });
  };
  return events.subscribe((event) => {
    switch (event.type) {
      case 'session.started':
        statuses.clear();
        lastTransition = null;
        for (const block of Object.keys(log)) delete log[block];
        return undefined;
      case 'step.started':
        node = manifest.blocks[event.block]?.node ?? node;
        statuses.set(event.block, 'active');
        log[event.block] = { input: event.context.execution_payload, output: [] };
        return publish(event.session, false);
      case 'step.finished': {
        const { entry, added } = event;
        statuses.set(
          entry.block,
          entry.matched === 'default' || entry.signal.includes('FAIL') ? 'failed' : 'complete',
        );
        log[entry.block] = { input: log[entry.block]?.input ?? [], output: added };
        lastTransition = entry;
        return publish(event.session, false);
      }
      case 'session.completed':
      case 'session.halted':
      case 'session.parked':
      case 'session.failed':
      case 'session.aborted':
        // A block that was ended from outside has not happened.
        for (const [block, status] of statuses) if (status === 'active') statuses.set(block, 'pending');
        return publish(event.session, event.type !== 'session.halted' && event.type !== 'session.parked');
      default:
        return undefined;
    }
  });
}
