import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { count } from '../../../../src/kernel/words.ts';
import { call } from '../../api/call.ts';
import { askAgain, useRoute } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { Panel, Problem } from '../../parts/view.tsx';

interface Offered {
  readonly path: string;
  readonly wanted: boolean;
  readonly what: 'changed' | 'removed';
  readonly copy: boolean;
  readonly since: boolean;
}

function wordsOf({ what, copy, since }: Offered): string {
  if (!copy) return `${what}; no copy was kept of it`;
  return since ? `${what}, and again by somebody else since: it goes back only when it is chosen` : what;
}

/** What a task that worked in the project's own folder changed there, and the way back. */
export function Restore({ task }: { readonly task: string }): ReactElement | null {
  const queries = useQueryClient();
  const { readOnly } = useMe();
  const offered = useRoute('restorable', { params: { id: task } });
  const [chosen, setChosen] = useState<{ readonly [path: string]: boolean }>({});
  const restoring = useMutation({
    mutationFn: (files: readonly string[]) =>
      call('restore', { params: { id: task }, body: { files: [...files] }, once: crypto.randomUUID() }),
    onSuccess: () => askAgain(queries, 'restorable', 'task'),
  });
  // A task that worked in a worktree of its own has nothing to put back here.
  if (offered.error || offered.data === undefined) return null;
  const files = offered.data.files as unknown as readonly Offered[];
  const isChosen = ({ path, wanted }: Offered) => chosen[path] ?? wanted;
  const paths = files.filter(isChosen).map(({ path }) => path);
  const { data, error } = restoring;
  if (files.length === 0 && !data) return null;
  return (
    <Panel title="What can be put back">
      <div className="body stack">
        <ul>
          {files.map((file) => (
            <li key={file.path}>
              <label className="row">
                <input
                  type="checkbox"
                  checked={isChosen(file)}
                  disabled={!file.copy || readOnly}
                  onChange={({ target: { checked } }) => setChosen({ ...chosen, [file.path]: checked })}
                />
                <code>{file.path}</code>
                <span className="quiet">{wordsOf(file)}</span>
              </label>
            </li>
          ))}
        </ul>
        {data ? (
          <p role="status">
            {count(data.restored.length, 'file')} put back: {data.restored.join(', ')}. How they were before
            is in the trash.
          </p>
        ) : null}
        {error ? <Problem error={error} /> : null}
        {files.length === 0 ? null : (
          <div>
            <button
              type="button"
              className="button"
              disabled={readOnly || restoring.isPending || paths.length === 0}
              onClick={() => restoring.mutate(paths)}
            >
              Put {count(paths.length, 'file')} back
            </button>
          </div>
        )}
      </div>
    </Panel>
  );
}
