import { type ReactElement, useEffect, useState } from 'react';
import { age, duration } from '../../../src/kernel/words.ts';

/** How long something takes already, counted on. */
export function Since({ at }: { readonly at: number }): ReactElement {
  const now = useNow(1000);
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()} className="number">
      {duration(Math.max(0, now - at))}
    </time>
  );
}

/** When something was, from now; the exact time is there for who points at it. */
export function When({ at }: { readonly at: number }): ReactElement {
  const now = useNow(15_000);
  const away = now - at;
  const shown = Math.abs(away) < 1500 ? 'now' : away > 0 ? age(away) : `in ${duration(-away)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()} className="number">
      {shown}
    </time>
  );
}

function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
