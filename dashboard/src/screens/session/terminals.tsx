import { lazy, type ReactElement, Suspense } from 'react';
import { useRoute } from '../../api/use-route.ts';
import { StatusWord } from '../../parts/status.tsx';
import { Empty, View } from '../../parts/view.tsx';
import type { TabProps } from './page.ts';
import { PaneActs } from './pane-acts.tsx';
import { Question } from './question.tsx';
import '../../style/terminal.css';

const Terminal = lazy(() => import('../../terminal/terminal.tsx'));

/** The agents of a session side by side, each with its terminal where it has one. */
export default function Terminals({ session: { id }, live }: TabProps): ReactElement {
  const tasks = useRoute('stageTasks', { params: { id } });
  return (
    <View of={tasks}>
      {({ tasks: all, reachable }) =>
        all.length === 0 ? (
          <Empty>No agent is at work.</Empty>
        ) : (
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
                    <StatusWord
                      word={status}
                      shown={status === 'WAITING_FOR_USER' ? 'waits for you' : status.toLowerCase()}
                    />
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
        )
      }
    </View>
  );
}
