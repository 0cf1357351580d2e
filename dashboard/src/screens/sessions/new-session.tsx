import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useLocation } from 'wouter';
import type { BodyOf } from '../../../../src/api/routes/routes.ts';
import { call } from '../../api/call.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { linesIn, saidIn } from '../../parts/form.ts';
import { PlanPreview } from '../../parts/plan-preview.tsx';
import { Problem } from '../../parts/view.tsx';

/** Starts a run in a process of its own and goes to its page. */
export function NewSession({ close }: { readonly close: () => void }): ReactElement {
  const [, go] = useLocation();
  const [plan, setPlan] = useState('');
  const starting = useMutation({
    mutationFn: (body: BodyOf<'startSession'>) => call('startSession', { body, once: crypto.randomUUID() }),
    onSuccess: ({ session }) => {
      close();
      go(`/sessions/${session}`);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const said = saidIn(event.currentTarget);
    const usd = Number(said('usd'));
    starting.mutate({
      goal: said('goal'),
      ...(said('workflow') === '' ? {} : { workflow: said('workflow') }),
      ...(said('agent') === '' ? {} : { agent: said('agent') }),
      ...(said('stepping') !== '' ? { stepping: true } : {}),
      ...(said('includeDirty') !== '' ? { includeDirty: true } : {}),
      ...(usd > 0 ? { budget: { usd } } : {}),
      ...(linesIn(plan).length === 0 ? {} : { plan: linesIn(plan) }),
      ...(linesIn(said('allow')).length === 0 ? {} : { allow: linesIn(said('allow')) }),
    });
  };
  return (
    <Dialog title="New session" close={close}>
      <form onSubmit={submit} style={{ padding: 0 }}>
        <label className="field">
          <span>Goal</span>
          <textarea name="goal" rows={3} required />
        </label>
        <div className="cards two">
          <label className="field">
            <span>Workflow</span>
            <input name="workflow" placeholder="test-fix" />
          </label>
          <label className="field">
            <span>Agent or model</span>
            <input name="agent" placeholder="as configured" />
          </label>
          <label className="field">
            <span>Budget in USD</span>
            <input name="usd" type="number" min="0" step="0.01" />
          </label>
        </div>
        <label className="field">
          <span>Files it means to change, one pattern a line</span>
          <textarea rows={2} value={plan} onChange={({ target: { value } }) => setPlan(value)} />
        </label>
        <PlanPreview paths={linesIn(plan)} />
        <label className="field">
          <span>Files it may change, and no others</span>
          <textarea name="allow" rows={2} />
        </label>
        <label className="row">
          <input type="checkbox" name="stepping" /> Halt before every block
        </label>
        <label className="row">
          <input type="checkbox" name="includeDirty" /> Bring uncommitted changes along
        </label>
        {starting.error ? <Problem error={starting.error} /> : null}
        <div className="row">
          <button type="submit" className="button primary" disabled={starting.isPending}>
            {starting.isPending ? 'Starting…' : 'Start'}
          </button>
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
