import { lazy, type ReactElement, Suspense } from 'react';
import { Actions } from '../../act/actions.tsx';
import { useRoute } from '../../api/use-route.ts';
import { useLiveSession } from '../../live/use-live.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { Fence, View } from '../../parts/view.tsx';
import { SessionHead } from './head.tsx';
import { Intervene } from './intervene.tsx';
import { WhileRunning } from './while-running.tsx';
import '../../style/session.css';

const Flow = lazy(() => import('./flow.tsx'));
const Timeline = lazy(() => import('./timeline.tsx'));
const Changes = lazy(() => import('./changes.tsx'));
const Logs = lazy(() => import('./logs.tsx'));
const Terminals = lazy(() => import('./terminals.tsx'));
const Evidence = lazy(() => import('./evidence.tsx'));
const Calls = lazy(() => import('./calls.tsx'));
const Plan = lazy(() => import('./plan.tsx'));

const TABS = {
  flow: ['Flow', Flow],
  timeline: ['Timeline', Timeline],
  changes: ['Changes', Changes],
  logs: ['Logs', Logs],
  terminal: ['Terminal', Terminals],
  calls: ['Calls', Calls],
  evidence: ['Evidence', Evidence],
  plan: ['Plan', Plan],
} as const;

function isTab(tab: string): tab is keyof typeof TABS {
  return Object.hasOwn(TABS, tab);
}

/** One session: where it stands, the way it took, and what can be done about it. */
export default function Session({ id, tab }: { readonly id: string; readonly tab: string }): ReactElement {
  const session = useRoute('session', { params: { id } });
  const live = useLiveSession(id);
  const shown = isTab(tab) ? tab : 'flow';
  const [, Tab] = TABS[shown];
  return (
    <View of={session}>
      {(page) => (
        <div className="stack session">
          <SessionHead session={page} live={live} />
          <div className="row">
            <Actions actions={page.next} shown={4} />
            {page.ownerAlive && page.status === 'running' ? <WhileRunning session={id} /> : null}
          </div>
          <Intervene session={page} isBrief={shown !== 'flow'} />
          <Tabs
            base={`/sessions/${id}`}
            current={shown}
            tabs={Object.entries(TABS).map(([path, [name]]) => ({ path, name }))}
          />
          <Fence key={shown}>
            <Suspense fallback={<div className="skeleton" aria-busy="true" />}>
              <Tab session={page} live={live} />
            </Suspense>
          </Fence>
        </div>
      )}
    </View>
  );
}
