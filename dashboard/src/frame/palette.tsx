import { type KeyboardEvent as Pressed, type ReactElement, useEffect, useId, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useRoute } from '../api/use-route.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PLACES } from './places.ts';

interface Found {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
}

const MOST = 12;

/** Everything by name, with `Ctrl+K`. */
export function Palette(): ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return isOpen ? <Find close={() => setOpen(false)} /> : null;
}

function Find({ close }: { readonly close: () => void }): ReactElement {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const id = useId();
  const sessions = useRoute('sessions', { query: { limit: 200 } }).data?.sessions;
  const tasks = useRoute('tasks', { query: { limit: 200 } }).data?.tasks;
  const all = useMemo((): readonly Found[] => {
    const places = PLACES.map(({ name, path }) => ({ name, kind: 'screen', path }));
    const ofSessions = (sessions ?? []).map((session) => ({
      name: 'goal' in session ? session.goal : session.id,
      kind: `session ${session.id.slice(-6)}`,
      path: `/sessions/${session.id}`,
    }));
    const ofTasks = (tasks ?? []).map(({ id: task, title }) => ({
      name: title,
      kind: `task ${task.slice(-6)}`,
      path: `/tasks/${task}`,
    }));
    return [...places, ...ofSessions, ...ofTasks];
  }, [sessions, tasks]);
  const words = wanted.toLowerCase().split(/\s+/);
  const found = all
    .filter(({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)))
    .slice(0, MOST);
  const open = (one: Found | undefined) => {
    if (!one) return;
    close();
    go(one.path);
  };
  const onKey = (event: Pressed) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((at + step + found.length) % Math.max(1, found.length));
    }
    if (event.key === 'Enter') open(found[at]);
  };
  return (
    <Dialog title="Go to" close={close}>
      <input
        // The dialog was opened to type here.
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${at}`}
        aria-label="Session, task or screen"
        value={wanted}
        onChange={({ target: { value } }) => {
          setWanted(value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul id={id} role="listbox" aria-label="Found">
        {found.map((one, index) => (
          <li
            key={one.path}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="item"
          >
            <button type="button" tabIndex={-1} className="button plain row" onClick={() => open(one)}>
              <span className="clip">{one.name}</span>
              <span className="quiet">{one.kind}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
