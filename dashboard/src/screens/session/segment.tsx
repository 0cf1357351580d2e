import type { ReactElement } from 'react';
import { visible } from '../../../../src/kernel/visible.ts';
import { bytes } from '../../../../src/kernel/words.ts';

interface Segment {
  readonly id: string;
  readonly type: string;
  readonly content: unknown;
  readonly [key: string]: unknown;
}

/** More than this is shown only when it is asked for. */
const LONG = 20_000;

/** One segment of the history. Its text is somebody else's: it is shown as it is and obeyed nowhere. */
export function SegmentView({
  segment,
  open = false,
}: {
  readonly segment: Segment;
  readonly open?: boolean;
}): ReactElement {
  const { id, type, content, origin } = segment;
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return (
    <details className="segment" open={open}>
      <summary>
        <strong className="mono">{type}</strong>
        <span className="quiet grow clip">
          {id}
          {from(origin)}
        </span>
        {typeof segment['outcome'] === 'string' ? <span className="chip">{segment['outcome']}</span> : null}
        <span className="quiet">{bytes(text.length)}</span>
      </summary>
      <pre>
        {visible(text.length > LONG ? `${text.slice(0, LONG)}\n… ${bytes(text.length - LONG)} more` : text)}
      </pre>
    </details>
  );
}

function from(origin: unknown): string {
  if (typeof origin !== 'object' || origin === null) return '';
  const { kind, block } = origin as { readonly kind?: unknown; readonly block?: unknown };
  const who = [block, kind].filter((part) => typeof part === 'string').join(', ');
  return who === '' ? '' : ` from ${who}`;
}
