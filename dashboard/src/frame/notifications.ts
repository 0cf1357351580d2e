import { useEffect, useRef } from 'react';
import type { ReplyOf } from '../../../src/api/routes/routes.ts';

type Item = ReplyOf<'needsYou'>['items'][number];

/** What is still so after this long is worth a word; what a person answers at once is not. */
const STILL_TRUE_MS = 10_000;
const KEY = 'loopwright-notify';

export function notificationsAreOn(): boolean {
  return (
    localStorage.getItem(KEY) === 'on' &&
    'Notification' in globalThis &&
    Notification.permission === 'granted'
  );
}

export async function switchNotifications(on: boolean): Promise<boolean> {
  localStorage.setItem(KEY, on ? 'on' : 'off');
  if (on && 'Notification' in globalThis && Notification.permission === 'default')
    await Notification.requestPermission();
  return notificationsAreOn();
}

/** One notification for each thing that needs a person, and none for what was there when the page was opened. */
export function useNotifications(items: readonly Item[]): void {
  const told = useRef<Set<string>>(undefined);
  useEffect(() => {
    told.current ??= new Set(items.map(({ id }) => id));
    const known = told.current;
    const fresh = items.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return undefined;
    const timer = setTimeout(() => {
      for (const { id, title, what } of fresh) {
        known.add(id);
        if (notificationsAreOn() && document.hidden) show(title, what, id);
      }
    }, STILL_TRUE_MS);
    return () => clearTimeout(timer);
  }, [items]);
}

function show(title: string, what: string, tag: string): Notification {
  return new Notification(title, { body: what.slice(0, 200), tag });
}
