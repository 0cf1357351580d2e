import { useEffect } from 'react';

type Handler = (event: KeyboardEvent) => void;

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('.xterm') !== null)
  );
}

/** Single letters that act on the page; never while somebody types, in a dialog or in a terminal. */
export function useKeys(keys: { readonly [key: string]: Handler }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (document.querySelector('dialog[open]')) return;
      const handler = keys[event.key];
      if (!handler) return;
      event.preventDefault();
      handler(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [keys]);
}
