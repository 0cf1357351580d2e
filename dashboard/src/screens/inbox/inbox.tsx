import { type ReactElement, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { AskDialog, type Asking } from '../../act/ask.tsx';
import { canCarryOut, carryOut } from '../../act/carry-out.ts';
import { useRoute } from '../../api/use-route.ts';
import { useKeys } from '../../frame/keys.ts';
import { useTopic } from '../../live/use-live.ts';
import { Empty, Panel, View } from '../../parts/view.tsx';
import { Needed, pageOf } from './needed.tsx';
import { LastDay, Running, Waiting } from './now.tsx';

type Item = ReplyOf<'needsYou'>['items'][number];

/** What waits for a person, since when, and what to do about it. */
export function Inbox(): ReactElement {
  useTopic('overview');
  useTopic('backlog');
  const needs = useRoute('needsYou');
  const overview = useRoute('overview');
  const [kind, setKind] = useState('');
  const items = useMemo(
    () => (needs.data?.items ?? []).filter((item) => kind === '' || item.kind === kind),
    [needs.data, kind],
  );
  const kinds = [...new Set((needs.data?.items ?? []).map((item) => item.kind))];
  return (
    <div className="stack">
      <h1>Inbox</h1>
      <Panel
        title={`Needs you${items.length === 0 ? '' : ` · ${items.length}`}`}
        aside={
          kinds.length < 2 ? null : (
            <div className="chips">
              {['', ...kinds].map((one) => (
                <button
                  key={one}
                  type="button"
                  className="chip"
                  aria-pressed={kind === one}
                  onClick={() => setKind(one)}
                >
                  {one === '' ? 'all' : one}
                </button>
              ))}
            </div>
          )
        }
      >
        <View of={needs}>{() => <Items items={items} />}</View>
      </Panel>
      <View of={overview}>
        {(now) => (
          <>
            <div className="cards two">
              <Running sessions={now.running} />
              <Waiting sessions={now.waiting} />
            </div>
            <LastDay overview={now} />
          </>
        )}
      </View>
    </div>
  );
}

function Items({ items }: { readonly items: readonly Item[] }): ReactElement {
  const [selected, setSelected] = useState('');
  const [asking, setAsking] = useState<Asking>();
  const [, go] = useLocation();
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === selected),
  );
  const item = items[at];
  const keys = useMemo(() => {
    const move = (by: number) =>
      setSelected(items[Math.min(items.length - 1, Math.max(0, at + by))]?.id ?? '');
    const choose = (find: (action: Asking) => boolean) => {
      const action = item?.actions.find((one) => canCarryOut(one) && find(one));
      if (action) setAsking(action);
    };
    const answers = (item?.actions ?? []).filter(
      ({ id, with: input }) => id === 'session.answer' && input?.['answer'] !== undefined,
    );
    return {
      j: () => move(1),
      k: () => move(-1),
      o: () => item && go(pageOf(item)),
      Enter: () => item && go(pageOf(item)),
      r: () => choose(({ id }) => id === 'session.retry' || id === 'session.resume'),
      a: () => choose(({ id }) => id === 'task.approve' || id === 'session.accept'),
      ...Object.fromEntries(
        answers.map((answer, index) => [String(index + 1), () => void carryOut(answer, {})]),
      ),
    };
  }, [items, at, item, go]);
  useKeys(keys);
  if (items.length === 0) return <Empty>Nothing needs you.</Empty>;
  return (
    <>
      <ul aria-label="Needs you">
        {items.map((one) => (
          <Needed key={one.id} item={one} selected={one === item} select={() => setSelected(one.id)} />
        ))}
      </ul>
      {asking ? <AskDialog action={asking} close={() => setAsking(undefined)} /> : null}
    </>
  );
}
