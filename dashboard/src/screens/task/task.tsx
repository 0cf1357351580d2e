import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { visible } from '../../../../src/kernel/visible.ts';
import { duration } from '../../../../src/kernel/words.ts';
import { Actions } from '../../act/actions.tsx';
import type { Asking } from '../../act/ask.tsx';
import { useRoute } from '../../api/use-route.ts';
import { useTopic } from '../../live/use-live.ts';
import { StatusWord } from '../../parts/status.tsx';
import { When } from '../../parts/time.tsx';
import { Panel, View } from '../../parts/view.tsx';
import { REASONS } from '../board/task-card.tsx';
import { Fact } from '../inbox/now.tsx';
import { Policy } from './policy.tsx';
import { Restore } from './restore.tsx';
import '../../style/session.css';

/** Everything that is known about a task: what was asked, each attempt with its evidence, and why it is where it is. */
export default function Task({ id }: { readonly id: string }): ReactElement {
  useTopic('backlog');
  const story = useRoute('task', { params: { id } });
  return (
    <View of={story}>
      {(task) => (
        <div className="stack">
          <header className="stack" style={{ gap: 6 }}>
            <div className="row">
              <h1 className="grow">{task.title}</h1>
              <StatusWord
                word={task.state}
                shown={
                  task.blockReason === undefined
                    ? task.state
                    : (REASONS[task.blockReason] ?? task.blockReason)
                }
              />
              {task.unverified ? <strong className="unverified">unverified</strong> : null}
              <span className="mono quiet">{task.id.slice(-6)}</span>
            </div>
            <dl className="facts">
              <Fact name="Role">{task.role}</Fact>
              <Fact name="Priority">{task.priority}</Fact>
              <Fact name="Attempts">{task.attempts}</Fact>
              {task.failureCode === undefined ? null : <Fact name="Failure">{task.failureCode}</Fact>}
              {task.waitsFor === undefined ? null : <Fact name="Waits for">{task.waitsFor}</Fact>}
              <Fact name="Added">
                <When at={task.createdAt} />
              </Fact>
            </dl>
          </header>
          <Actions actions={actionsOf(task)} shown={4} />
          <Panel title="What was asked">
            <div className="body stack">
              <pre>{visible(task.goal)}</pre>
              <Paths name="May change" paths={task.allowedPaths} none="anything" />
              <Paths name="May not change" paths={task.deniedPaths} />
              <Paths name="Proved by" paths={task.commands} none="what fits the change" />
              {task.notes === undefined ? null : <p>Notes: {visible(task.notes)}</p>}
            </div>
          </Panel>
          {task.runs.toReversed().map((run) => (
            <Panel key={run.id} title={`Attempt ${run.attempt}`} aside={<StatusWord word={run.state} />}>
              <div className="body stack">
                <dl className="facts">
                  <Fact name="Session">
                    <Link href={`/sessions/${run.sessionId}`}>{run.sessionId.slice(-6)}</Link>
                  </Fact>
                  <Fact name="Began">
                    <When at={run.startedAt} />
                  </Fact>
                  {run.finishedAt === undefined ? null : (
                    <Fact name="Took">{duration(run.finishedAt - run.startedAt)}</Fact>
                  )}
                </dl>
                {run.evidence.length === 0 ? <p className="quiet">No evidence is stored.</p> : null}
                <ul>
                  {run.evidence.map((line) => (
                    <li key={line}>{visible(line)}</li>
                  ))}
                </ul>
                <Policy outcome={run.outcome ?? {}} />
              </div>
            </Panel>
          ))}
          {task.runs.length > 0 && task.artifacts.every(({ type }) => type === 'direct_edit') ? (
            <Restore task={task.id} />
          ) : null}
          {task.artifacts.length === 0 ? null : (
            <Panel title="Products">
              <ul className="body">
                {task.artifacts.map(({ type, ref, createdAt }) => (
                  <li key={`${type} ${ref}`} className="row">
                    <span className="chip">{type}</span>
                    <code className="grow">{ref}</code>
                    <When at={createdAt} />
                  </li>
                ))}
              </ul>
            </Panel>
          )}
          <Panel title="Its way">
            <ul className="body">
              {task.events.toReversed().map(({ at, state, reason }) => (
                <li key={`${at} ${state} ${reason}`} className="row">
                  <span className="quiet">
                    <When at={at} />
                  </span>
                  <strong>{state}</strong>
                  <span className="grow">{visible(reason)}</span>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      )}
    </View>
  );
}

function Paths({
  name,
  paths,
  none,
}: {
  readonly name: string;
  readonly paths: readonly string[];
  readonly none?: string;
}): ReactElement | null {
  if (paths.length === 0 && none === undefined) return null;
  return (
    <p>
      {name}: {paths.length === 0 ? none : paths.map((path) => <code key={path}>{path} </code>)}
    </p>
  );
}

/** What a person can do with a task in its state, whatever else the server advises. */
function actionsOf(task: {
  readonly id: string;
  readonly state: string;
  readonly blockReason?: string | undefined;
  readonly next?: Asking | undefined;
}): readonly Asking[] {
  const on = { task: task.id };
  const approve: Asking = { id: 'task.approve', label: 'Approve', with: on };
  const rework: Asking = { id: 'task.rework', label: 'Ask for another attempt', needs: ['notes'], with: on };
  const requeue: Asking = { id: 'task.requeue', label: 'Put it back in line', with: on };
  const cancel: Asking = { id: 'task.cancel', label: 'Cancel', danger: true, with: on };
  if (task.blockReason === 'awaiting_judge') return [approve, rework, cancel];
  if (task.state === 'blocked' || task.state === 'failed') return [requeue, cancel];
  if (task.state === 'cancelled') return [requeue];
  return task.state === 'done' ? [] : [cancel];
}
