import { lazy, type ReactElement, Suspense } from 'react';
import type { LiveStageTask } from '../../../../src/api/live.ts';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { useRoute } from '../../api/use-route.ts';
import { StageStatus } from '../../parts/stage-status.tsx';
import { Empty, View } from '../../parts/view.tsx';
import type { TabProps } from './page.ts';
import { PaneActs } from './pane-acts.tsx';
import { Question } from './question.tsx';
import '../../style/terminal.css';

const Terminal = lazy(() => import('../../terminal/terminal.tsx'));

type StageTask = ReplyOf<'stageTasks'>['tasks'][number];

/**
 * Everybody of the stage, in its order: the process that runs them names only those that can still be reached, and
 * one that has ended stays where it was.
 */
function panesOf(reached: readonly StageTask[], live: readonly LiveStageTask[]): readonly StageTask[] {
  const rest = reached.filter(({ id }) => !live.some((one) => one.id === id));
  const told = live.map(
    ({ id, status, agent }) =>
      reached.find((one) => one.id === id) ?? { id, status, agent, interactive: false },
  );
  return [...told, ...rest];
}

/** The agents of a session side by side, each with its terminal where it has one. */
export default function Terminals({ session: { id }, live }: TabProps): ReactElement {
  const tasks = useRoute('stageTasks', { params: { id } });
  return (
    <View of={tasks}>
      {({ tasks: reached, reachable }) => {
        const all = panesOf(reached, live?.tasks ?? []);
        if (all.length === 0) return <Empty>No agent is at work.</Empty>;
        return (
          <div className="panes">
            {all.map((task) => {
              const told = live?.tasks.find((one) => one.id === task.id);
              const status = told?.status ?? task.status;
              // Who tells it as it happens knows better than what was asked for before: a null is no question.
              const { question, choices = [] } = told ?? task;
              return (
                <section
                  key={task.id}
                  className={`panel pane ${status === 'WAITING_FOR_USER' ? 'asks' : ''}`}
                  aria-label={task.id}
                >
                  <div className="title">
                    <strong className="grow clip">{told?.name ?? task.id}</strong>
                    <span className="quiet">{task.agent ?? ''}</span>
                    <StageStatus status={status} problem={told?.problem} />
                  </div>
                  {reachable && (status === 'RUNNING' || status === 'WAITING_FOR_USER') ? (
                    <PaneActs session={id} task={task.id} isInteractive={task.interactive} />
                  ) : null}
                  {question === undefined || question === null ? null : (
                    <Question session={id} task={task.id} question={question} choices={choices} />
                  )}
                  {task.interactive && status !== 'DONE' && status !== 'ERROR' ? (
                    <Suspense fallback={<div className="skeleton" />}>
                      <Terminal session={id} task={task.id} />
                    </Suspense>
                  ) : (
                    <pre className="words">{told?.problem || told?.tail || 'Nothing to show.'}</pre>
                  )}
                </section>
              );
            })}
          </div>
        );
      }}
    </View>
  );
}
