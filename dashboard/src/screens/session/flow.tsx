import { lazy, type ReactElement, Suspense, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import { useKeys } from '../../frame/keys.ts';
import { blockStates } from '../../graph/block-states.ts';
import { Outline } from '../../graph/outline.tsx';
import { Empty, View } from '../../parts/view.tsx';
import { StepInspector } from './inspector.tsx';
import type { TabProps } from './page.ts';
import { Scrubber } from './scrubber.tsx';

const FlowGraph = lazy(() => import('../../graph/flow-graph.tsx'));
const PAGE = 500;

/** The way a session took, as a graph, and any step of it in full. */
export default function Flow({ session, live }: TabProps): ReactElement {
  const { id } = session;
  const [search, setSearch] = useSearchParams();
  const graph = useRoute('graph', { params: { id } });
  const steps = useRoute('steps', { params: { id }, query: { limit: PAGE } });
  const rows = useMemo(() => steps.data?.steps ?? [], [steps.data]);
  const wanted = search.get('step');
  const at = wanted === null ? undefined : Number(wanted);
  const shown = at === undefined ? rows.at(-1) : rows.findLast(({ step }) => step === at);
  const past = useMemo(() => (at === undefined ? rows : rows.filter(({ step }) => step <= at)), [rows, at]);
  const go = (step: number | undefined) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (step === undefined) after.delete('step');
        else after.set('step', String(step));
        return after;
      },
      { replace: true },
    );
  const keys = useMemo(() => {
    const index = rows.findIndex((row) => row === shown);
    return {
      '[': () => index > 0 && go(rows[index - 1]?.step),
      ']': () => index < rows.length - 1 && go(rows[index + 1]?.step),
      End: () => go(undefined),
    };
    // `go` only sets the address.
  }, [rows, shown]);
  useKeys(keys);
  const running = at === undefined ? (live?.running?.block ?? null) : null;
  const states = useMemo(() => blockStates(past, running), [past, running]);
  const choose = (block: string) => go(past.findLast((row) => row.block === block)?.step);
  return (
    <View of={graph}>
      {(drawn) => (
        <div className="flow">
          <div className="stack">
            <Suspense fallback={<div className="skeleton graph" />}>
              <FlowGraph graph={drawn} states={states} last={past.at(-1)} choose={choose} />
            </Suspense>
            <Outline graph={drawn} states={states} choose={choose} />
            <Scrubber
              rows={rows}
              marks={steps.data?.marks ?? []}
              at={shown?.row}
              isPast={at !== undefined}
              go={go}
            />
          </div>
          {shown ? (
            <StepInspector session={id} row={shown} isPast={at !== undefined} />
          ) : (
            <Empty>No block has run yet.</Empty>
          )}
        </div>
      )}
    </View>
  );
}
