import type { LiveSession } from '../../api/live.ts';
import { deferred } from '../../kernel/deferred.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { JsonEvent } from '../../orchestrator/control/json-event.ts';
import type { JournalPosition } from '../../orchestrator/state/store.ts';
import type { OpenProject } from '../open.ts';
import { liveOf } from './live-of.ts';
import { reachOwner } from './reach.ts';
import { type SessionView, viewOf } from './view.ts';

/** What a watcher gets. */
export type Watched =
  | JsonEvent
  /** So many events were not sent, because nobody read them. What they told and is kept is in the session. */
  | { readonly type: 'watch.skipped'; readonly session: string; readonly count: number };

/** A session that another process runs, as it happens. */
export interface Watching {
  readonly session: SessionView;
  readonly manifest: ResolvedManifest;
  /** Where the journal stood when the events began. */
  readonly at: JournalPosition | undefined;
  /** What `foldEvent` goes on from with the events that follow. */
  readonly live: LiveSession;
  /** From now on, until the session stands still or `stop` is called. */
  readonly events: AsyncIterable<Watched>;
  stop(): void;
}

/** So many events wait for a slow reader here; beyond that they are counted, as the owner does. */
const MOST_WAITING = 10_000;

/** Follows a running session from any process of the same user. */
export async function watch(opened: OpenProject, written: string | undefined): Promise<Watching> {
  const { id, owner } = await reachOwner(opened, written);
  const waiting: Watched[] = [];
  let dropped = 0;
  let news = deferred<void>();
  let over = false;
  owner.onReply((reply) => {
    if ('skipped' in reply) dropped += reply.skipped;
    else if ('event' in reply && dropped === 0 && waiting.length < MOST_WAITING) waiting.push(reply.event);
    else if ('event' in reply) dropped++;
    news.resolve();
  });
  const end = (): void => {
    over = true;
    news.resolve();
  };
  void owner.closed.then(end);
  const { at } = await owner.ask({ do: 'watch' });
  const { tasks = [] } = await owner.ask({ do: 'tasks' });
  const snapshot = opened.sessions.load(id);
  return {
    session: viewOf(snapshot),
    manifest: snapshot.manifest,
    at,
    live: liveOf(snapshot, tasks),
    events: {
      async *[Symbol.asyncIterator]() {
        try {
          for (;;) {
            while (waiting.length > 0) yield waiting.shift() as Watched;
            // Told in its place: after what came before it, and before anything that comes later.
            const count = dropped;
            dropped = 0;
            if (count > 0) yield { type: 'watch.skipped', session: id, count };
            if (waiting.length > 0 || dropped > 0) continue;
            if (over) return;
            await news.promise;
            news = deferred();
          }
        } finally {
          owner.close();
        }
      },
    },
    stop: () => owner.close(),
  };
}

/** Ends the running block of a session that another process runs; it halts and can be resumed. */
export async function interrupt(
  opened: OpenProject,
  written: string | undefined,
  reason = 'interrupted by a person',
): Promise<{ readonly session: string }> {
  const { id, owner } = await reachOwner(opened, written);
  try {
    await owner.ask({ do: 'interrupt', reason });
    return { session: id };
  } finally {
    owner.close();
  }
}
