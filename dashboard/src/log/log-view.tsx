import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import { visible } from '../../../src/kernel/visible.ts';
import { call } from '../api/call.ts';
import { useFeed } from '../live/use-live.ts';
import { Problem } from '../parts/view.tsx';
import { word } from '../text/word.ts';
import '../style/log.css';

const PAGE = 400;
const LINE = 18;

/** A window over a log: only what is looked at is read, however long it is. */
export function LogView({
  session,
  name,
  follows,
}: {
  readonly session: string;
  readonly name: string;
  readonly follows: boolean;
}): ReactElement {
  const feed = useFeed();
  const [lines, setLines] = useState(0);
  const [pages, setPages] = useState<ReadonlyMap<number, readonly string[]>>(new Map());
  const [error, setError] = useState<Error>();
  const [following, setFollowing] = useState(follows);
  const asked = useRef(new Set<number>());
  const box = useRef<HTMLDivElement>(null);

  const ask = useCallback(
    async (page: number, again = false) => {
      if (asked.current.has(page) && !again) return;
      asked.current.add(page);
      try {
        const got = await call('log', {
          params: { id: session, name },
          query: { line: page * PAGE, limit: PAGE },
        });
        setLines(got.lines);
        setPages((before) => new Map(before).set(page, got.text));
      } catch (refused) {
        setError(refused instanceof Error ? refused : new Error(word(refused)));
      }
    },
    [session, name],
  );
  useEffect(() => {
    const atTheEnd = async () => {
      try {
        const got = await call('log', { params: { id: session, name }, query: { limit: 1 } });
        setLines(got.lines);
        await ask(Math.max(0, Math.floor((got.lines - 1) / PAGE)));
      } catch (refused) {
        setError(refused instanceof Error ? refused : new Error(word(refused)));
      }
    };
    void atTheEnd();
  }, [session, name, ask]);
  useEffect(
    () =>
      follows
        ? feed.watchLog(`${session}/${name}`, (grown) => void ask(Math.floor((grown - 1) / PAGE), true))
        : undefined,
    [feed, session, name, follows, ask],
  );
  const rows = useVirtualizer({
    count: lines,
    getScrollElement: () => box.current,
    estimateSize: () => LINE,
    overscan: 30,
  });
  const shown = rows.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => {
    void ask(Math.floor(first / PAGE));
    void ask(Math.floor(last / PAGE));
  }, [first, last, ask]);
  useEffect(() => {
    if (following && lines > 0) rows.scrollToIndex(lines - 1, { align: 'end' });
  }, [following, lines, rows]);
  if (error) return <Problem error={error} />;
  return (
    <div className="log panel">
      <div
        ref={box}
        className="window"
        // It scrolls by keys.
        tabIndex={0}
        onWheel={({ deltaY }) => deltaY < 0 && setFollowing(false)}
        role="log"
        aria-label={name}
        aria-live="off"
      >
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start }) => (
            <div key={index} className="log-line" style={{ transform: `translateY(${start}px)` }}>
              <span className="no">{index + 1}</span>
              <span>{visible(pages.get(Math.floor(index / PAGE))?.[index % PAGE] ?? '')}</span>
            </div>
          ))}
        </div>
      </div>
      {follows && !following ? (
        <button type="button" className="button" onClick={() => setFollowing(true)}>
          Follow the end
        </button>
      ) : null}
    </div>
  );
}
