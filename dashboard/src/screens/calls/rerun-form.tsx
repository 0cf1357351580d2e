import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactElement } from 'react';
import type { BodyOf } from '../../../../src/api/routes/routes.ts';
import { call } from '../../api/call.ts';
import { askAgain } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { saidIn } from '../../parts/form.ts';
import { Problem } from '../../parts/view.tsx';

/** What was sent, to be sent once more in other words. */
export function RerunForm({
  session,
  call: asked,
  prompt,
  agent,
  made,
}: {
  readonly session: string;
  readonly call: string;
  readonly prompt: string;
  readonly agent: string;
  readonly made: (experiment: string) => void;
}): ReactElement {
  const { readOnly } = useMe();
  const client = useQueryClient();
  const running = useMutation({
    mutationFn: (body: BodyOf<'rerunCall'>) =>
      call('rerunCall', { params: { id: session, call: asked }, body, once: crypto.randomUUID() }),
    onSuccess: ({ experiment }) => {
      askAgain(client, 'experiments');
      made(experiment);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const said = saidIn(event.currentTarget);
    running.mutate({
      prompt: said('prompt'),
      ...(said('agent') === '' ? {} : { agent: said('agent') }),
      ...(said('model') === '' ? {} : { model: said('model') }),
      permissions: said('permissions') as 'read' | 'edits' | 'all',
      maxUsd: Number(said('maxUsd')),
    });
  };
  return (
    <form onSubmit={submit} style={{ padding: 0 }}>
      <label className="field">
        <span>Prompt</span>
        <textarea name="prompt" rows={14} required defaultValue={prompt} className="mono" />
      </label>
      <div className="cards two">
        <label className="field">
          <span>Agent</span>
          <input name="agent" defaultValue={agent} />
        </label>
        <label className="field">
          <span>Model</span>
          <input name="model" placeholder="as it was" />
        </label>
        <label className="field">
          <span>It may</span>
          <select name="permissions" defaultValue="read">
            <option value="read">only read</option>
            <option value="edits">edit files</option>
            <option value="all">do everything</option>
          </select>
        </label>
        <label className="field">
          <span>May cost up to, in USD</span>
          <input name="maxUsd" type="number" min="0.01" step="0.01" defaultValue="0.50" required />
        </label>
      </div>
      <p className="quiet">
        It runs on a copy of the files before this step. The session does not change, and what it costs counts
        for the budget of the project.
      </p>
      {running.error ? <Problem error={running.error} /> : null}
      <button type="submit" className="button primary" disabled={readOnly || running.isPending}>
        {running.isPending ? 'Starting…' : 'Re-run & compare'}
      </button>
    </form>
  );
}
