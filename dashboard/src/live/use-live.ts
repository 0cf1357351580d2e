import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { LiveSession } from '../../../src/api/live.ts';
import type { Topic } from '../../../src/api/routes/live.ts';
import type { Connection, LiveFeed } from './feed.ts';

export const FeedContext = createContext<LiveFeed | undefined>(undefined);

export function useFeed(): LiveFeed {
  const feed = useContext(FeedContext);
  if (!feed) throw new Error('There is no feed around this part of the page.');
  return feed;
}

/** Told of a topic for as long as the part that asks is shown. */
export function useTopic(topic: Topic | undefined): void {
  const feed = useFeed();
  useEffect(() => (topic === undefined ? undefined : feed.watch(topic)), [feed, topic]);
}

export function useConnection(): Connection {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, feed.connection);
}

/** What a session that runs tells, as it happens; null where nobody runs it. */
export function useLiveSession(id: string): LiveSession | null {
  const feed = useFeed();
  useTopic(`session:${id}`);
  useSyncExternalStore(feed.subscribe, feed.version);
  return feed.liveOf(id);
}
