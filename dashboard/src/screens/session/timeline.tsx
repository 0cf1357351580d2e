import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import { duration } from '../../../../src/kernel/words.ts';
import { call } from '../../api/call.ts';
import { isRed } from '../../graph/block-states.ts';
import { Money } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { When } from '../../parts/time.tsx';
import { Empty, Problem } from '../../parts/view.tsx';
import { blockName, type StepRow, type TabProps } from './page.ts';

const PAGE = 200;

/** Every step, newest first, with who took over and what people said in between. */
export default function Timeline({ session: { id } }: TabProps): ReactElement {
  const [only, setOnly] = useState<'all' | 'red' | 'files'>('all');
  const pages = useInfiniteQuery({
    queryKey: ['steps', { id }, { pages: true }],
    queryFn: ({ pageParam }) =>
      call('steps', {
        params: { id },
        query: { limit: PAGE, ...(pageParam < 0 ? {} : { before: pageParam }) },
      }),
    initialPageParam: -1,
    getNextPageParam: ({ before }) => before ?? undefined,
  });
  const all = pages.data?.pages.flatMap(({ steps }) => steps.toReversed()) ?? [];
  const marks = new Map(pages.data?.pages.flatMap((page) => page.marks).map((mark) => [mark.after, mark]));
  const rows = all.filter((row) =>
    only === 'red' ? isRed(row.signal) : only === 'files' ? row.files : true,
  );
  const longest = Math.max(1, ...rows.map(({ ms }) => ms));
  if (pages.error) return <Problem error={pages.error} again={() => void pages.refetch()} />;
  if (pages.data && all.length === 0) return <Empty>No block has run yet.</Empty>;
  return (
    <div className="stack">
      <div className="chips">
        {(['all', 'red', 'files'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="chip"
            aria-pressed={only === one}
            onClick={() => setOnly(one)}
          >
            {one === 'red' ? 'only failures' : one === 'files' ? 'changed files' : 'all'}
          </button>
        ))}
      </div>
      <div className="panel wide" tabIndex={0} role="region" aria-label="Table">
        <table>
          <thead>
            <tr>
              <th className="number">Step</th>
              <th>Block</th>
              <th>Signal</th>
              <th>Took</th>
              <th>Then</th>
              <th className="number">Cost</th>
              <th>Ended</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.row} row={row} session={id} longest={longest} mark={marks.get(row.row)?.what} />
            ))}
          </tbody>
        </table>
      </div>
      {pages.hasNextPage ? (
        <button type="button" className="button" onClick={() => void pages.fetchNextPage()}>
          Earlier steps
        </button>
      ) : null}
    </div>
  );
}

function Row({
  row: { step, block, signal, attempt, ms, next, usd, at, files, ran },
  session,
  longest,
  mark,
}: {
  readonly row: StepRow;
  readonly session: string;
  readonly longest: number;
  readonly mark: string | undefined;
}): ReactElement {
  return (
    <>
      {mark === undefined ? null : (
        <tr>
          <td colSpan={7} className="quiet">
            {mark}
          </td>
        </tr>
      )}
      <tr>
        <td className="number">
          <Link href={`/sessions/${session}/flow?step=${step}`}>{step}</Link>
        </td>
        <td>
          {blockName(block)}
          {attempt > 1 ? <span className="quiet"> attempt {attempt}</span> : null}
          {files ? <span className="chip">files</span> : null}
        </td>
        <td>
          <StatusWord
            word={!ran ? 'halted' : isRed(signal) ? 'failed' : 'completed'}
            shown={ran ? signal.replace(/^SIGNAL:/, '') : 'not run'}
          />
        </td>
        <td style={{ minWidth: 120 }}>
          <span className="number">{duration(ms)}</span>
          <div className="took" style={{ width: `${Math.max(1, (ms / longest) * 100)}%` }} />
        </td>
        <td>{next === null ? '' : blockName(next)}</td>
        <td>{usd > 0 ? <Money usd={usd} /> : null}</td>
        <td className="quiet">
          <When at={at} />
        </td>
      </tr>
    </>
  );
}
