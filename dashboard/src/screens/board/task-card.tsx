import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { When } from '../../parts/time.tsx';

type Task = ReplyOf<'tasks'>['tasks'][number];

export const REASONS: { readonly [reason: string]: string } = {
  awaiting_judge: 'awaits your verdict',
  quota_wait: 'waits for a quota',
  needs_rework: 'needs rework',
  setup_missing: 'its checks cannot run',
  budget_unheld: 'nobody could hold its budget',
};

/** A task on the board: what it waits for, until when, and what is known of it. */
export function TaskCard({ task }: { readonly task: Task }): ReactElement {
  const {
    id,
    title,
    state,
    blockReason,
    waitsFor,
    waitsUntil,
    attempts,
    failureCode,
    unverified,
    priority,
    role,
  } = task;
  return (
    <li className="card">
      <Link href={`/tasks/${id}`}>{title}</Link>
      <div className="quiet row">
        <span className="mono">{id.slice(-6)}</span>
        {priority === 0 ? null : <span>p{priority}</span>}
        {role === 'worker' ? null : <span>{role}</span>}
        {attempts > 0 ? <span>attempt {attempts}</span> : null}
      </div>
      {blockReason === undefined ? null : <div>{REASONS[blockReason] ?? blockReason}</div>}
      {state === 'done' ? (
        <div className={unverified ? 'unverified' : 'quiet'}>{unverified ? 'unverified' : 'verified'}</div>
      ) : null}
      {failureCode === undefined || state === 'done' ? null : <div className="quiet">{failureCode}</div>}
      {waitsFor === undefined ? null : (
        <div className="quiet">
          {waitsFor} {waitsUntil === undefined ? null : <When at={waitsUntil} />}
        </div>
      )}
      {task.allowedPaths.length === 0 || state !== 'queued' ? null : (
        <div className="mono quiet clip">{task.allowedPaths.join(' ')}</div>
      )}
    </li>
  );
}
