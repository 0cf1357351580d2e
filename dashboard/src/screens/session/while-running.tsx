import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../api/call.ts';
import { useMe } from '../../frame/me.ts';
import { Problem } from '../../parts/view.tsx';

/** What can be done to a session while it runs. */
export function WhileRunning({ session }: { readonly session: string }): ReactElement {
  const { readOnly } = useMe();
  const interrupting = useMutation({
    mutationFn: () => call('interrupt', { params: { id: session }, body: {} }),
  });
  return (
    <div className="row">
      <button
        type="button"
        className="button"
        disabled={readOnly || interrupting.isPending}
        title="The running block is ended, and the session halts. It can be resumed."
        onClick={() => interrupting.mutate()}
      >
        Interrupt
      </button>
      {interrupting.error ? <Problem error={interrupting.error} /> : null}
    </div>
  );
}
