import { type ReactElement, useState } from 'react';
import { useLocation } from 'wouter';
import { AskDialog, type Asking } from '../../act/ask.tsx';
import { useMe } from '../../frame/me.ts';

/** From any step another way can be tried, or everything after it put aside. */
export function StepActs({
  session,
  step,
}: {
  readonly session: string;
  readonly step: number;
}): ReactElement {
  const [asking, setAsking] = useState<Asking>();
  const [, go] = useLocation();
  const { readOnly } = useMe();
  const on = { session, step };
  const fork: Asking = {
    id: 'session.fork',
    label: `Fork after step ${step}`,
    why: 'A new session begins with the files and the history as they were then. This one stays as it is.',
    needs: ['guidance'],
    with: on,
  };
  const rewind: Asking = {
    id: 'session.rewind',
    label: `Go back to step ${step}`,
    why: 'The session and its files go back to the end of this step. What came after it is put aside, and money that was spent stays spent.',
    needs: [],
    with: on,
  };
  return (
    <div className="row">
      <button type="button" className="button" disabled={readOnly} onClick={() => setAsking(fork)}>
        Fork here…
      </button>
      <button type="button" className="button" disabled={readOnly} onClick={() => setAsking(rewind)}>
        Go back to here…
      </button>
      {asking ? (
        <AskDialog
          action={asking}
          close={() => setAsking(undefined)}
          done={(reply) => {
            const made = (reply as { readonly session?: string }).session;
            if (asking.id === fork.id && made !== undefined) go(`/compare?a=${session}&b=${made}`);
          }}
        />
      ) : null}
    </div>
  );
}
