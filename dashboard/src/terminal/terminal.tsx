import { FitAddon } from '@xterm/addon-fit';
import { Terminal as Xterm } from '@xterm/xterm';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import '@xterm/xterm/css/xterm.css';
import { useMe } from '../frame/me.ts';
import { useFeed } from '../live/use-live.ts';

const LEAVE = ']';

/** The terminal of an agent. Typing into it has to be switched on: a key that was meant for the page is no answer. */
export default function Terminal({
  session,
  task,
}: {
  readonly session: string;
  readonly task: string;
}): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const feed = useFeed();
  const { readOnly } = useMe();
  const [types, setTypes] = useState(false);
  const typing = useRef(false);
  typing.current = types && !readOnly;
  const [ended, setEnded] = useState('');
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const name = `${session}/${task}`;
    const topic = `terminal:${name}` as const;
    const screen = new Xterm({ convertEol: false, fontSize: 12, scrollback: 5000, screenReaderMode: false });
    const fit = new FitAddon();
    screen.loadAddon(fit);
    screen.open(element);
    // Nothing that an agent prints may reach the clipboard.
    screen.parser.registerOscHandler(52, () => true);
    screen.attachCustomKeyEventHandler((event) => {
      if (event.ctrlKey && event.key === LEAVE) {
        screen.blur();
        setTypes(false);
        return false;
      }
      return typing.current;
    });
    screen.onData((text) => typing.current && feed.send({ input: topic, text }));
    const stop = feed.watchTerminal(name, (bytes, end) => {
      if (bytes) screen.write(bytes);
      else setEnded(end ?? '');
    });
    const resize = () => {
      fit.fit();
      if (typing.current) feed.send({ resize: topic, columns: screen.cols, rows: screen.rows });
    };
    const watcher = new ResizeObserver(resize);
    watcher.observe(element);
    return () => {
      stop();
      watcher.disconnect();
      screen.dispose();
    };
  }, [feed, session, task]);
  return (
    <div>
      <div ref={place} className="screen" />
      <div className="row bar">
        <button
          type="button"
          className="chip"
          aria-pressed={types}
          disabled={readOnly}
          onClick={() => setTypes(!types)}
          title="Ctrl+] leaves"
        >
          type here: {types ? 'on' : 'off'}
        </button>
        <span className="quiet">{ended}</span>
      </div>
    </div>
  );
}
