import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../api/call.ts';
import { askAgain } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { Problem } from '../../parts/view.tsx';

/** Ends one agent of a stage: as done, or as not done. The others go on. */
export function PaneActs({
  session,
  task,
  isInteractive,
}: {
  readonly session: string;
  readonly task: string;
  /** One that is not is done when its process ends, and not before. */
  readonly isInteractive: boolean;
}): ReactElement {
  const { readOnly } = useMe();
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: (how: 'complete' | 'stop') =>
      call(how, { params: { id: session, task }, body: {}, once: crypto.randomUUID() }),
    onSuccess: () => askAgain(queries, 'stageTasks'),
  });
  const button = (how: 'complete' | 'stop', label: string, title: string) => (
    <button
      type="button"
      className="button"
      aria-label={`${label} ${task}`}
      title={title}
      disabled={readOnly || ending.isPending}
      onClick={() => ending.mutate(how)}
    >
      {label}
    </button>
  );
  return (
    <div className="acts row">
      {isInteractive
        ? button('complete', 'Complete', 'End it as done, with what it has written so far')
        : null}
      {button('stop', 'Stop', 'End it as not done')}
      {ending.error ? <Problem error={ending.error} /> : null}
    </div>
  );
}
