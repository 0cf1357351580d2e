import { useMutation } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import type { ReactElement } from 'react';
import { call } from '../../api/call.ts';
import { useRoute } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { CopyCommand } from '../../parts/command.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Problem } from '../../parts/view.tsx';
import { word } from '../../text/word.ts';

/** Who works on the backlog; a way to start somebody where nobody does. */
export function Runtimes(): ReactElement | null {
  const runtimes = useRoute('runtimes').data?.runtimes ?? [];
  const queued = useRoute('tasks', { query: { limit: 1 } }).data?.states['queued'] ?? 0;
  const { readOnly } = useMe();
  const starting = useMutation({
    mutationFn: () => call('startRuntime', { body: {}, once: crypto.randomUUID() }),
  });
  const stopping = useMutation({
    mutationFn: (id: string) => call('stopRuntime', { params: { id }, body: {}, once: crypto.randomUUID() }),
  });
  const living = runtimes.filter(({ dead }) => !dead);
  if (living.length === 0 && queued === 0) return null;
  if (living.length === 0)
    return (
      <div className="panel body row" style={{ padding: 12 }}>
        <span className="grow">
          {queued} {queued === 1 ? 'task is' : 'tasks are'} in line, and nobody works on them.
        </span>
        <button
          type="button"
          className="button primary"
          disabled={readOnly || starting.isPending}
          onClick={() => starting.mutate()}
        >
          Start a runtime
        </button>
        <CopyCommand command="loopwright work" />
        {starting.error ? <Problem error={starting.error} /> : null}
      </div>
    );
  return (
    <ul className="row" aria-label="Runtimes">
      {living.map(({ id, name, ...more }) => (
        <li key={id} className="chip">
          {name}{' '}
          <StatusWord
            word={more['state'] === 'busy' ? 'running' : 'not started'}
            shown={word(more['state'])}
          />
          <button
            type="button"
            className="button plain"
            aria-label={`Stop ${name}`}
            title="It parks what it does, and ends"
            disabled={readOnly || stopping.isPending}
            onClick={() => stopping.mutate(id)}
          >
            <Square size={12} aria-hidden />
          </button>
        </li>
      ))}
      {stopping.error ? <Problem error={stopping.error} /> : null}
    </ul>
  );
}
