import { lazy, type ReactElement, Suspense } from 'react';
import { Link } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import type { BlockState } from '../../graph/block-states.ts';
import type { Drawn } from '../../graph/layout.ts';
import { StatusWord } from '../../parts/status.tsx';
import { Panel, View } from '../../parts/view.tsx';

const FlowGraph = lazy(() => import('../../graph/flow-graph.tsx'));
const NONE: ReadonlyMap<string, BlockState> = new Map();

/** Every workflow that can be named. */
export default function Workflows({ name }: { readonly name: string | undefined }): ReactElement {
  const workflows = useRoute('workflows');
  return (
    <div className="stack">
      <h1>Workflows</h1>
      <View of={workflows}>
        {({ workflows: all }) => (
          <div className="cards two">
            {all.map(({ name: one, kind, configured, blocks, workers, gates, problem }) => (
              <Panel
                key={one}
                title={<Link href={`/workflows/${encodeURIComponent(one)}`}>{one}</Link>}
                aside={<span className="chip">{configured ? 'in use' : kind}</span>}
              >
                <div className="body">
                  {problem === undefined ? null : <StatusWord word="failed" shown={problem} />}
                  <p>
                    {blocks} blocks{gates.length === 0 ? '' : `, ${gates.length} gates`}
                  </p>
                  <p className="quiet clip">{workers.join(', ')}</p>
                </div>
              </Panel>
            ))}
          </div>
        )}
      </View>
      {name === undefined ? null : <Workflow key={name} name={name} />}
    </div>
  );
}

function Workflow({ name }: { readonly name: string }): ReactElement {
  const workflow = useRoute('workflow', { params: { name } });
  return (
    <View of={workflow}>
      {({ graph, text, validation }) => (
        <Panel
          title={name}
          aside={
            <StatusWord
              word={validation.valid ? 'completed' : 'failed'}
              shown={validation.valid ? 'valid' : 'not valid'}
            />
          }
        >
          <div className="body stack">
            <ul>
              {validation.problems.map(({ message }) => (
                <li key={message}>! {message}</li>
              ))}
            </ul>
            {graph === null || !('edges' in graph) ? null : (
              <Suspense fallback={<div className="skeleton" />}>
                <FlowGraph
                  graph={graph as unknown as Drawn}
                  states={NONE}
                  last={undefined}
                  choose={() => undefined}
                />
              </Suspense>
            )}
            <details>
              <summary>The file</summary>
              <pre>{text}</pre>
            </details>
          </div>
        </Panel>
      )}
    </View>
  );
}
