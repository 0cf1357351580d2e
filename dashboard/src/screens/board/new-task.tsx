import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { BodyOf } from '../../../../src/api/routes/routes.ts';
import { call } from '../../api/call.ts';
import { askAgain } from '../../api/use-route.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { linesIn, saidIn } from '../../parts/form.ts';
import { PlanPreview } from '../../parts/plan-preview.tsx';
import { Problem } from '../../parts/view.tsx';

export function NewTask({ close }: { readonly close: () => void }): ReactElement {
  const queries = useQueryClient();
  const [paths, setPaths] = useState('');
  const adding = useMutation({
    mutationFn: (body: BodyOf<'addTask'>) => call('addTask', { body, once: crypto.randomUUID() }),
    onSuccess: () => {
      askAgain(queries, 'tasks');
      close();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const said = saidIn(event.currentTarget);
    const [allowedPaths, commands] = [linesIn(paths), linesIn(said('commands'))];
    const priority = Number(said('priority'));
    adding.mutate({
      title: said('title'),
      ...(said('goal') === '' ? {} : { goal: said('goal') }),
      ...(allowedPaths.length === 0 ? {} : { allowedPaths }),
      ...(commands.length === 0 ? {} : { commands }),
      ...(priority === 0 ? {} : { priority }),
    });
  };
  return (
    <Dialog title="New task" close={close}>
      <form onSubmit={submit} style={{ padding: 0 }}>
        <label className="field">
          <span>Title</span>
          <input name="title" required />
        </label>
        <label className="field">
          <span>Goal, in as many words as it takes</span>
          <textarea name="goal" rows={4} />
        </label>
        <label className="field">
          <span>Files it may change, one pattern a line</span>
          <textarea rows={2} value={paths} onChange={({ target: { value } }) => setPaths(value)} />
        </label>
        <PlanPreview paths={linesIn(paths)} />
        <label className="field">
          <span>Commands that prove it, one a line</span>
          <textarea name="commands" rows={2} />
        </label>
        <label className="field">
          <span>Priority</span>
          <input name="priority" type="number" defaultValue={0} />
        </label>
        {adding.error ? <Problem error={adding.error} /> : null}
        <div className="row">
          <button type="submit" className="button primary" disabled={adding.isPending}>
            Add it
          </button>
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
