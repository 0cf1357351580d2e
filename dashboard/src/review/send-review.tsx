import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLocation } from 'wouter';
import type { BodyOf } from '../../../src/api/routes/routes.ts';
import { call } from '../api/call.ts';
import { useMe } from '../frame/me.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/view.tsx';
import type { SessionPage } from '../screens/session/page.ts';
import type { Reviewing } from './use-review.ts';

type As = BodyOf<'sendReview'>['as'];
const NAMES: { readonly [as in As]: string } = {
  retry: 'run the block again with it',
  resume: 'go on with it',
  fork: 'start a fork with it',
  type: 'type it into the terminal',
  rework: 'ask for another attempt',
  requeue: 'put the task back in line with it',
};

/** How comments can reach whoever works on it, by where the session stands. */
function waysOf({ status, task, halt }: SessionPage): readonly As[] {
  if (task) return ['rework', 'requeue'];
  if (status === 'completed') return ['fork'];
  if (status === 'halted' || status === 'failed')
    return halt?.reason === 'step' ? ['resume', 'retry'] : ['retry', 'resume'];
  return ['type', 'fork'];
}

/** All comments at once: shown as they would be sent, then sent. */
export function SendReview({
  session,
  reviewing: { review, error, save },
}: {
  readonly session: SessionPage;
  readonly reviewing: Reviewing;
}): ReactElement | null {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const { readOnly } = useMe();
  const ways = waysOf(session);
  const [as, setAs] = useState<As>(ways[0] ?? 'fork');
  const [isOpen, setOpen] = useState(false);
  const params = { id: session.id };
  const preview = useMutation({
    mutationFn: () => call('sendReview', { params, body: { as, preview: true } }),
    onSuccess: () => setOpen(true),
  });
  const sending = useMutation({
    mutationFn: () => call('sendReview', { params, body: { as }, once: crypto.randomUUID() }),
    onSuccess: ({ goesOn }) => {
      setOpen(false);
      void queries.invalidateQueries();
      if (goesOn !== undefined && goesOn !== session.id) go(`/compare?a=${session.id}&b=${goesOn}`);
    },
  });
  if (error) return <Problem error={error} />;
  const drafts = review?.comments.filter(({ state }) => state !== 'sent') ?? [];
  if (!review || (drafts.length === 0 && review.summary === '')) return null;
  return (
    <section className="panel review" aria-label="Review">
      <div className="title">
        <h2 className="grow">
          Review · {drafts.length} {drafts.length === 1 ? 'comment' : 'comments'}
        </h2>
      </div>
      <div className="body stack">
        <label className="field">
          <span>Summary</span>
          <textarea
            rows={2}
            defaultValue={review.summary}
            onBlur={({ target: { value } }) => value !== review.summary && save({ summary: value })}
          />
        </label>
        <div className="row">
          <label className="row">
            <span>Then</span>
            <select value={as} onChange={({ target: { value } }) => setAs(value as As)}>
              {ways.map((way) => (
                <option key={way} value={way}>
                  {NAMES[way]}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            className="button primary"
            disabled={readOnly}
            onClick={() => preview.mutate()}
          >
            Look and send…
          </button>
        </div>
        {preview.error ? <Problem error={preview.error} /> : null}
      </div>
      {isOpen && preview.data ? (
        <Dialog title="What will be sent" close={() => setOpen(false)}>
          <pre className="lines" tabIndex={0} style={{ maxHeight: '50vh' }}>
            {preview.data.text}
          </pre>
          {sending.error ? <Problem error={sending.error} /> : null}
          <div className="row">
            <button
              type="button"
              className="button primary"
              disabled={sending.isPending}
              onClick={() => sending.mutate()}
            >
              Send it
            </button>
            <button type="button" className="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      ) : null}
    </section>
  );
}
