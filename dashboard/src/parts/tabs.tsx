import type { ReactElement } from 'react';
import { Link } from 'wouter';

/** Parts of a page that each have an address of their own. */
export function Tabs({
  base,
  current,
  tabs,
}: {
  readonly base: string;
  readonly current: string;
  readonly tabs: readonly { readonly path: string; readonly name: string }[];
}): ReactElement {
  return (
    <nav className="tabs" aria-label="Parts of this page">
      {tabs.map(({ path, name }) => (
        <Link key={path} href={`${base}/${path}`} aria-current={path === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
