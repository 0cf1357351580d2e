import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import { memo, type ReactElement, useMemo } from 'react';
import { duration } from '../../../src/kernel/words.ts';
import '@xyflow/react/dist/base.css';

import { blockName, type StepRow } from '../screens/session/page.ts';
import { type BlockState, PENDING } from './block-states.ts';
import { type Drawn, placed, SIZE } from './layout.ts';
import '../style/graph.css';

type BlockNode = Node<
  BlockState & { readonly name: string; readonly worker: string; readonly gate: boolean },
  'block'
>;

const WORDS: { readonly [state in BlockState['state']]: string } = {
  pending: '',
  active: 'runs',
  passed: 'passed',
  failed: 'failed',
  unrun: 'not run',
};

const Block = memo(({ data }: NodeProps<BlockNode>) => (
  <div className={`block ${data.state}`}>
    <Handle type="target" position={Position.Top} />
    <div className="row" style={{ flexWrap: 'nowrap' }}>
      <strong className="clip grow">{data.name}</strong>
      {data.gate ? <span className="gate">gate</span> : null}
    </div>
    <div className="row quiet" style={{ flexWrap: 'nowrap', fontSize: 11 }}>
      <span className="clip grow">{data.worker.replace(/^Internal:/, '')}</span>
      <span>
        {WORDS[data.state]}
        {data.visits > 1 ? ` ×${data.visits}` : ''}
        {data.visits > 0 && data.state !== 'active' ? ` · ${duration(data.lastMs)}` : ''}
      </span>
    </div>
    <Handle type="source" position={Position.Bottom} />
  </div>
));
const NODE_TYPES = { block: Block };

/** The blocks of a session with how each stands; the way that was taken last is lit. */
export default function FlowGraph({
  graph,
  states,
  last,
  choose,
}: {
  readonly graph: Drawn;
  readonly states: ReadonlyMap<string, BlockState>;
  readonly last: StepRow | undefined;
  readonly choose: (block: string) => void;
}): ReactElement {
  const places = useMemo(() => new Map(placed(graph).map((place) => [place.id, place])), [graph]);
  const nodes = useMemo(
    () =>
      graph.blocks.map(
        ({ id, worker, gate }): BlockNode => ({
          id,
          type: 'block',
          position: places.get(id) ?? { x: 0, y: 0 },
          ...SIZE,
          data: { ...(states.get(id) ?? PENDING), name: blockName(id), worker, gate },
          ariaLabel: `${blockName(id)}: ${(states.get(id) ?? PENDING).state}`,
        }),
      ),
    [graph, places, states],
  );
  const edges = useMemo(
    () =>
      graph.edges.flatMap(({ from, to, signal, call }, index): Edge[] => {
        if (to === null) return [];
        const lit = last?.block === from && last.next === to && last.signal === signal;
        return [
          {
            id: `${from} ${signal} ${index}`,
            source: from,
            target: to,
            label: signal.replace(/^SIGNAL:/, ''),
            className: lit ? 'lit' : '',
            animated: lit,
            style: call ? { strokeDasharray: '4 3' } : {},
            markerEnd: { type: MarkerType.ArrowClosed },
          },
        ];
      }),
    [graph, last],
  );
  return (
    <div className="graph panel" role="group" aria-label="The graph; the list below says the same">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodeClick={(_, { id }) => choose(id)}
        fitView
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
