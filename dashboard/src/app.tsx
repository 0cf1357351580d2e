import { lazy, type ReactElement, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Frame } from './frame/frame.tsx';
import { Empty } from './parts/view.tsx';
import { Inbox } from './screens/inbox/inbox.tsx';
import { Sessions } from './screens/sessions/sessions.tsx';

const Session = lazy(() => import('./screens/session/session.tsx'));
const Board = lazy(() => import('./screens/board/board.tsx'));
const Task = lazy(() => import('./screens/task/task.tsx'));

export function App(): ReactElement {
  return (
    <Frame>
      <Suspense fallback={<div className="skeleton" aria-busy="true" />}>
        <Switch>
          <Route path="/" component={Inbox} />
          <Route path="/sessions" component={Sessions} />
          <Route path="/sessions/:id/:tab?">
            {({ id, tab }) => <Session key={id} id={id} tab={tab ?? 'flow'} />}
          </Route>
          <Route path="/board" component={Board} />
          <Route path="/tasks/:id">{({ id }) => <Task key={id} id={id} />}</Route>
          <Route>
            <Empty>There is no such page.</Empty>
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}
