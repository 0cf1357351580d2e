import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useRoute } from '../api/use-route.ts';
import { Empty, View } from '../parts/view.tsx';
import { openDiff, type Pointed } from './open-diff.ts';
import '../style/diff.css';

/** One changed file, both sides whole, what did not change folded away. */
export default function FileDiff({
  session,
  path,
  query,
  view,
  folded,
  point,
}: {
  readonly session: string;
  readonly path: string;
  readonly query: { readonly step?: number };
  readonly view: 'unified' | 'split';
  readonly folded: boolean;
  readonly point: (pointed: Pointed) => void;
}): ReactElement {
  const [isOpen, setOpen] = useState(!folded);
  const file = useRoute(
    'diffFile',
    { params: { id: session }, query: { ...query, path } },
    { enabled: isOpen },
  );
  if (!isOpen)
    return (
      <div className="panel empty">
        <p>{path} is long or made by a tool.</p>
        <button type="button" className="button" onClick={() => setOpen(true)}>
          Show it
        </button>
      </div>
    );
  return (
    <View of={file}>
      {({ before, after, unshown }) =>
        unshown === undefined ? (
          <Sides path={path} before={before ?? ''} after={after ?? ''} view={view} point={point} />
        ) : (
          <Empty>
            {unshown === 'binary' ? `${path} is no text.` : `${path} is too large to be shown here.`}
          </Empty>
        )
      }
    </View>
  );
}

/** Two texts beside or in one another. */
export function Sides({
  path,
  before,
  after,
  view,
  point,
}: {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly view: 'unified' | 'split';
  readonly point: (pointed: Pointed) => void;
}): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const pointing = useRef(point);
  pointing.current = point;
  useEffect(
    () =>
      place.current
        ? openDiff(place.current, { before, after, view }, (pointed) => pointing.current(pointed))
        : undefined,
    [before, after, view],
  );
  return (
    <section className="panel diff" aria-label={path}>
      <div className="title mono">{path}</div>
      <div ref={place} />
    </section>
  );
}
