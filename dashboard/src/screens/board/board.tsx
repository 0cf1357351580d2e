import { ListPlus, Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { useRoute } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { useTopic } from '../../live/use-live.ts';
import { Empty, View } from '../../parts/view.tsx';
import { ImportTasks } from './import-tasks.tsx';
import { NewTask } from './new-task.tsx';
import { Runtimes } from './runtimes.tsx';
import { TaskCard } from './task-card.tsx';
import '../../style/board.css';

type State = ReplyOf<'tasks'>['tasks'][number]['state'];
const COLUMNS: readonly State[] = ['queued', 'running', 'blocked', 'failed', 'done', 'cancelled'];

/** The backlog by state. */
export default function Board(): ReactElement {
  useTopic('backlog');
  const [search, setSearch] = useSearchParams();
  const [asked, setAsked] = useState<'task' | 'import'>();
  const close = () => setAsked(undefined);
  const { readOnly } = useMe();
  const q = search.get('q') ?? '';
  return (
    <div className="stack">
      <div className="row">
        <h1 className="grow">Board</h1>
        <input
          type="search"
          placeholder="Search"
          aria-label="Search tasks"
          defaultValue={q}
          onChange={({ target: { value } }) => setSearch(value === '' ? {} : { q: value }, { replace: true })}
        />
        <button type="button" className="button" disabled={readOnly} onClick={() => setAsked('import')}>
          <ListPlus size={14} aria-hidden /> Import
        </button>
        <button type="button" className="button primary" disabled={readOnly} onClick={() => setAsked('task')}>
          <Plus size={14} aria-hidden /> Task
        </button>
      </div>
      <Runtimes />
      <div className="board">
        {COLUMNS.map((state) => (
          <Column key={state} state={state} q={q} />
        ))}
      </div>
      {asked === 'task' ? <NewTask close={close} /> : null}
      {asked === 'import' ? <ImportTasks close={close} /> : null}
    </div>
  );
}

const PAGE = 50;

function Column({ state, q }: { readonly state: State; readonly q: string }): ReactElement | null {
  const [limit, setLimit] = useState(PAGE);
  const tasks = useRoute('tasks', { query: { state, limit, ...(q === '' ? {} : { q }) } });
  if (state === 'cancelled' && tasks.data?.total === 0) return null;
  return (
    <section className="column" aria-label={state}>
      <h2>
        {state} <span className="quiet">{tasks.data?.total ?? ''}</span>
      </h2>
      <View of={tasks}>
        {({ tasks: shown, total }) => (
          <>
            {total === 0 && state === 'queued' ? (
              <Empty command='loopwright task add "<title>"'>No tasks. Import a checklist or add one.</Empty>
            ) : null}
            <ul>
              {shown.map((task) => (
                <TaskCard key={task.id} task={task} />
              ))}
            </ul>
            {shown.length < total ? (
              <button type="button" className="button" onClick={() => setLimit(limit + PAGE)}>
                {total - shown.length} more
              </button>
            ) : null}
          </>
        )}
      </View>
    </section>
  );
}
