import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../api/call.ts';
import { askAgain } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { StatusWord } from '../../parts/status.tsx';
import { Problem } from '../../parts/view.tsx';

const ACTIONS = {
  removed: ['completed', 'removed'],
  'would-remove': ['halted', 'would go'],
  kept: ['held', 'stays'],
} as const;

/** First what would go and what stays, each with the reason; only then it goes. */
export function Collect(): ReactElement {
  const queries = useQueryClient();
  const { readOnly } = useMe();
  const collecting = useMutation({
    mutationFn: (dryRun: boolean) => call('gc', { body: { dryRun } }),
    onSuccess: (_, dryRun) => (dryRun ? undefined : askAgain(queries, 'worktrees', 'disk')),
  });
  const { data, error } = collecting;
  const rows = [
    ...(data?.worktrees.map(({ id, action, reason }) => ({ what: `worktree ${id}`, action, reason })) ?? []),
    ...(data?.checkpoints.map(({ session, action, reason }) => ({
      what: `checkpoints of ${session}`,
      action,
      reason,
    })) ?? []),
  ];
  const canGo = rows.some(({ action }) => action === 'would-remove');
  return (
    <div className="body stack">
      <div className="row">
        <button type="button" className="button" disabled={readOnly} onClick={() => collecting.mutate(true)}>
          What could go?
        </button>
        {canGo ? (
          <button
            type="button"
            className="button danger"
            disabled={readOnly || collecting.isPending}
            onClick={() => collecting.mutate(false)}
          >
            Remove it
          </button>
        ) : null}
      </div>
      {data ? (
        <ul aria-label="What can go and what stays" aria-live="polite">
          {rows.length === 0 ? <li>Nothing can go.</li> : null}
          {rows.map(({ what, action, reason }) => (
            <li key={what} className="row">
              <StatusWord word={ACTIONS[action][0]} shown={ACTIONS[action][1]} />
              <code>{what}</code>
              <span className="quiet">{reason}</span>
            </li>
          ))}
          {data.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      {error ? <Problem error={error} /> : null}
    </div>
  );
}
