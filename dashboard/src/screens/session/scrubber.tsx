import { type ReactElement, useEffect, useRef } from 'react';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { isRed } from '../../graph/block-states.ts';
import { blockName, type StepRow } from './page.ts';

type Mark = ReplyOf<'steps'>['marks'][number];

/** Every step in its order, to go back to any of them. */
export function Scrubber({
  rows,
  marks,
  at,
  isPast,
  go,
}: {
  readonly rows: readonly StepRow[];
  readonly marks: readonly Mark[];
  /** The row that is looked at. */
  readonly at: number | undefined;
  readonly isPast: boolean;
  readonly go: (step: number | undefined) => void;
}): ReactElement {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [box, tick] = [strip.current, strip.current?.querySelector<HTMLElement>('[aria-current]')];
    // Only the strip moves, never the page that somebody reads.
    if (box && tick) box.scrollLeft = tick.offsetLeft - box.clientWidth / 2;
  }, [at]);
  const marked = new Map(marks.map((mark) => [mark.after, mark]));
  return (
    <div className="panel scrubber">
      <div className="strip" ref={strip} role="group" aria-label="Steps">
        {rows.map(({ row, step, block, signal, files }) => {
          const mark = marked.get(row);
          return (
            <button
              key={row}
              type="button"
              className={`tick ${isRed(signal) ? 'red' : 'green'} ${files ? 'files' : ''}`}
              aria-current={row === at ? 'step' : undefined}
              title={`${step} ${blockName(block)}: ${signal.replace(/^SIGNAL:/, '')}${mark ? `; then ${mark.what}` : ''}`}
              onClick={() => go(step)}
            >
              {step}
            </button>
          );
        })}
      </div>
      <button type="button" className="button" disabled={!isPast} onClick={() => go(undefined)}>
        {isPast ? 'Back to now' : 'Now'}
      </button>
    </div>
  );
}
