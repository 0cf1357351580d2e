import { Moon, Sun, SunMoon } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useRoute } from '../api/use-route.ts';
import { useConnection } from '../live/use-live.ts';
import { Since } from '../parts/time.tsx';
import { Fence } from '../parts/view.tsx';
import { HelpDialog } from './help.tsx';
import { useKeys } from './keys.ts';
import { useMe } from './me.ts';
import { useNotifications } from './notifications.ts';
import { Palette } from './palette.tsx';
import { PLACES } from './places.ts';
import { type Theme, useTheme } from './theme.ts';

const ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;
const NEXT: { readonly [theme in Theme]: Theme } = { system: 'light', light: 'dark', dark: 'system' };

/** What stands around every screen. */
export function Frame({ children }: { readonly children: ReactNode }): ReactElement {
  const [path, go] = useLocation();
  const { project, readOnly } = useMe();
  const [theme, setTheme] = useTheme();
  const [isHelp, setHelp] = useState(false);
  const needs =
    useRoute('needsYou').data?.items.filter(({ snoozedUntil = 0 }) => snoozedUntil < Date.now()) ?? [];
  const here = PLACES.find(({ path: place }) => (place === '/' ? path === '/' : path.startsWith(place)));
  const waited = useRef(false);
  useNotifications(needs);
  useEffect(() => {
    document.title = `${needs.length > 0 ? `(${needs.length}) ` : ''}${here?.name ?? 'loopwright'} · ${project.name}`;
  }, [needs.length, here?.name, project.name]);
  const keys = useMemo(
    () => ({
      g: () => {
        waited.current = true;
        setTimeout(() => {
          waited.current = false;
        }, 1500);
      },
      '?': () => setHelp(true),
      ...Object.fromEntries(
        PLACES.map(({ key, path: place }) => [
          key,
          () => {
            if (waited.current) go(place);
            waited.current = false;
          },
        ]),
      ),
    }),
    [go],
  );
  useKeys(keys);
  const ThemeIcon = ICONS[theme];
  return (
    <div className="frame">
      <header className="head">
        <Link href="/" className="brand">
          loopwright
        </Link>
        <span className="clip grow" title={project.dir}>
          {project.name}
        </span>
        {readOnly ? <span className="chip">read-only</span> : null}
        <LiveMark />
        <button
          type="button"
          className="button plain"
          onClick={() => setTheme(NEXT[theme])}
          aria-label={`Theme: ${theme}`}
          title={`Theme: ${theme}`}
        >
          <ThemeIcon size={16} aria-hidden />
        </button>
        <button type="button" className="button plain" onClick={() => setHelp(true)} aria-label="Keys">
          ?
        </button>
      </header>
      <nav className="rail" aria-label="Screens">
        <ul>
          {PLACES.map(({ path: place, name, icon: Icon }) => (
            <li key={place}>
              <Link href={place} aria-current={here?.path === place ? 'page' : undefined}>
                <Icon size={16} aria-hidden />
                {name}
                {place === '/' && needs.length > 0 ? (
                  <span className="count">
                    {needs.length}
                    <span className="sr"> need you</span>
                  </span>
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main className="main" tabIndex={-1}>
        <Fence key={path}>{children}</Fence>
      </main>
      <Palette />
      {isHelp ? <HelpDialog close={() => setHelp(false)} /> : null}
    </div>
  );
}

function LiveMark(): ReactElement {
  const { live, since } = useConnection();
  return (
    <span className={`status ${live ? 'done' : 'needs'}`} role="status">
      {live ? (
        '● live'
      ) : since === null ? (
        '○ not live'
      ) : (
        <span>
          ○ not live since <Since at={since} />
        </span>
      )}
    </span>
  );
}
