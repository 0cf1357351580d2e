import { Graph, layout } from '@dagrejs/dagre';
import type { ReplyOf } from '../../../src/api/routes/routes.ts';

export type Drawn = ReplyOf<'graph'>;

const WIDTH = 190;
const HEIGHT = 54;

export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/** Where each block stands: from top to bottom, in the order of the way through. */
export function placed({ blocks, edges }: Pick<Drawn, 'blocks' | 'edges'>): readonly Placed[] {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 46, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of blocks) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const { from, to, signal } of edges)
    if (to !== null && to !== from) graph.setEdge(from, to, {}, signal);
  layout(graph);
  return blocks.map(({ id }) => {
    const { x, y } = graph.node(id);
    return { id, x: x - WIDTH / 2, y: y - HEIGHT / 2 };
  });
}

export const SIZE = { width: WIDTH, height: HEIGHT } as const;
