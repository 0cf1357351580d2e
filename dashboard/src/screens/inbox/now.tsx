import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { Money } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Since, When } from '../../parts/time.tsx';
import { Empty, Panel } from '../../parts/view.tsx';

type Overview = ReplyOf<'overview'>;
type Summary = Overview['running'][number];

export function Running({ sessions }: { readonly sessions: readonly Summary[] }): ReactElement {
  return (
    <Panel title={`Running · ${sessions.length}`}>
      {sessions.length === 0 ? <Empty command='loopwright run "<goal>"'>Nothing runs.</Empty> : null}
      <ul>
        {sessions.map((session) => (
          <li key={session.id} className="item row">
            <Link href={`/sessions/${session.id}`} className="grow clip">
              {'goal' in session ? session.goal : session.id}
            </Link>
            {'goal' in session ? (
              <>
                <span className="mono clip">{(session.currentBlock ?? '').replace(/^.*__/, '')}</span>
                <Money usd={session.used.usd} />
                <span className="quiet">
                  <Since at={session.createdAt} />
                </span>
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Waiting({ sessions }: { readonly sessions: readonly Summary[] }): ReactElement {
  return (
    <Panel title={`Waiting for time or others · ${sessions.length}`}>
      {sessions.length === 0 ? <Empty>Nothing waits.</Empty> : null}
      <ul>
        {sessions.map((session) => (
          <li key={session.id} className="item">
            <div className="row">
              <StatusWord word={session.status} />
              <Link href={`/sessions/${session.id}`} className="grow clip">
                {'goal' in session ? session.goal : session.id}
              </Link>
              {'parkedUntil' in session && session.parkedUntil !== null ? (
                <When at={session.parkedUntil} />
              ) : null}
            </div>
            {'reason' in session && session.reason !== null ? (
              <p className="quiet">{session.reason}</p>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function LastDay({
  overview: { lastDay, tasks, sessions },
}: {
  readonly overview: Overview;
}): ReactElement {
  const queued = tasks['queued'] ?? 0;
  return (
    <Panel title="Last 24 hours">
      <dl className="facts body">
        <Fact name="Done">
          {lastDay.done}
          {lastDay.unverified > 0 ? ` (${lastDay.unverified} unverified)` : ''}
        </Fact>
        <Fact name="Failed">{lastDay.failed}</Fact>
        <Fact name="Spent">
          <Money usd={lastDay.usd} />
        </Fact>
        <Fact name="Tasks in line">{queued}</Fact>
        <Fact name="Sessions">{sessions.total}</Fact>
      </dl>
    </Panel>
  );
}

export function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: React.ReactNode;
}): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
