import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/call.ts';
import { useMe } from '../../frame/me.ts';
import { useTopic } from '../../live/use-live.ts';
import { Empty, Problem } from '../../parts/view.tsx';
import { NewSession } from './new-session.tsx';
import { SessionRow } from './session-row.tsx';

const WORDS = ['running', 'waiting', 'parked', 'halted', 'died', 'failed', 'completed', 'held', 'aborted'];
const PAGE = 60;

/** All sessions, newest first; what is asked for stands in the address. */
export function Sessions(): ReactElement {
  useTopic('overview');
  const [search, setSearch] = useSearchParams();
  const [isNew, setNew] = useState(search.has('new'));
  const { readOnly } = useMe();
  const [status, q] = [search.get('status') ?? '', search.get('q') ?? ''];
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const pages = useInfiniteQuery({
    queryKey: ['sessions', {}, { status, q, pages: true }],
    queryFn: ({ pageParam }) =>
      call('sessions', {
        query: {
          limit: PAGE,
          ...(pageParam === '' ? {} : { before: pageParam }),
          ...(status === '' ? {} : { status }),
          ...(q === '' ? {} : { q }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const sessions = pages.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <div className="stack">
      <div className="row">
        <h1 className="grow">Sessions</h1>
        <input
          type="search"
          aria-label="Search goals, ids and branches"
          placeholder="Search"
          defaultValue={q}
          onChange={({ target: { value } }) => set('q', value)}
        />
        <button type="button" className="button primary" disabled={readOnly} onClick={() => setNew(true)}>
          <Plus size={14} aria-hidden /> New session
        </button>
      </div>
      <div className="chips">
        {['', ...WORDS].map((word) => (
          <button
            key={word}
            type="button"
            className="chip"
            aria-pressed={status === word}
            onClick={() => set('status', word)}
          >
            {word === '' ? 'all' : word}
          </button>
        ))}
      </div>
      {pages.error ? <Problem error={pages.error} again={() => void pages.refetch()} /> : null}
      {pages.data && sessions.length === 0 ? (
        <Empty command='loopwright run "<goal>"'>
          {status === '' && q === '' ? 'No session so far.' : 'No session fits.'}
        </Empty>
      ) : null}
      {sessions.length === 0 ? null : (
        <div className="panel wide" tabIndex={0} role="region" aria-label="Table">
          <table>
            <thead>
              <tr>
                <th>Status</th>
                <th>Goal</th>
                <th>At</th>
                <th className="number">Steps</th>
                <th className="number">Cost</th>
                <th>Workflow</th>
                <th>Began</th>
                <th>Id</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasNextPage ? (
        <button type="button" className="button" onClick={() => void pages.fetchNextPage()}>
          Older ones
        </button>
      ) : null}
      {isNew ? <NewSession close={() => setNew(false)} /> : null}
    </div>
  );
}
