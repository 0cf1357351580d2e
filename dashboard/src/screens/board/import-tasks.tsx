import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { count } from '../../../../src/kernel/words.ts';
import { call } from '../../api/call.ts';
import { askAgain } from '../../api/use-route.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/view.tsx';

/** No checklist parses as JSON. */
function formatOf(text: string): 'markdown' | 'json' {
  try {
    JSON.parse(text);
    return 'json';
  } catch {
    return 'markdown';
  }
}

/** Adds the tasks of a checklist. What is known already is left alone, and both are counted. */
export function ImportTasks({ close }: { readonly close: () => void }): ReactElement {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const importing = useMutation({
    mutationFn: () =>
      call('importTasks', { body: { text, format: formatOf(text) }, once: crypto.randomUUID() }),
    onSuccess: () => askAgain(queries, 'tasks'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    importing.mutate();
  };
  const { data } = importing;
  return (
    <Dialog title="Import tasks" close={close}>
      <form onSubmit={submit} style={{ padding: 0 }}>
        <label className="field">
          <span>From a file</span>
          <input
            type="file"
            accept=".md,.markdown,.json,.txt"
            onChange={({ target: { files } }) => void files?.[0]?.text().then(setText)}
          />
        </label>
        <label className="field">
          <span>A Markdown checklist, or the JSON of tasks</span>
          <textarea
            rows={10}
            required
            placeholder="- [ ] what is to be done"
            value={text}
            onChange={({ target: { value } }) => setText(value)}
          />
        </label>
        {importing.error ? <Problem error={importing.error} /> : null}
        {data ? (
          <p role="status">
            {count(data.added.length, 'task')} added
            {data.known.length === 0 ? '' : `, ${count(data.known.length, 'task')} known already`}.
          </p>
        ) : null}
        <div className="row">
          <button type="submit" className="button primary" disabled={importing.isPending}>
            Import
          </button>
          <button type="button" className="button" onClick={close}>
            {data ? 'Close' : 'Cancel'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
