import { lazy, type ReactElement, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Frame } from './frame/frame.tsx';
import { Empty } from './parts/view.tsx';
import { Inbox } from './screens/inbox/inbox.tsx';
import { Sessions } from './screens/sessions/sessions.tsx';

const Session = lazy(() => import('./screens/session/session.tsx'));
const Board = lazy(() => import('./screens/board/board.tsx'));
const Task = lazy(() => import('./screens/task/task.tsx'));
const Agents = lazy(() => import('./screens/agents/agents.tsx'));
const Calls = lazy(() => import('./screens/calls/calls.tsx'));
const Compare = lazy(() => import('./screens/compare/compare.tsx'));
const Costs = lazy(() => import('./screens/costs/costs.tsx'));
const Pipelines = lazy(() => import('./screens/pipelines/pipelines.tsx'));
const Settings = lazy(() => import('./screens/settings/settings.tsx'));
const Workflows = lazy(() => import('./screens/workflows/workflows.tsx'));
const Worktrees = lazy(() => import('./screens/worktrees/worktrees.tsx'));

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
          <Route path="/agents" component={Agents} />
          <Route path="/calls" component={Calls} />
          <Route path="/compare" component={Compare} />
          <Route path="/costs" component={Costs} />
          <Route path="/pipelines" component={Pipelines} />
          <Route path="/settings" component={Settings} />
          <Route path="/workflows/:name?">{({ name }) => <Workflows name={name} />}</Route>
          <Route path="/worktrees" component={Worktrees} />
          <Route>
            <Empty>There is no such page.</Empty>
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}
