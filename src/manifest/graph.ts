import { broken, pad, size } from '../kernel/text-width.ts';
import { clip } from '../kernel/words.ts';
import { successors, walk } from './compile/flow.ts';
import { actionWords, limitWords, returnedTable, shortSignal } from './graph/words.ts';
import type { BlockId, ResolvedBlock, ResolvedManifest, ResolvedNode } from './resolved.ts';

export { mermaid } from './graph/mermaid.ts';

export interface DrawOptions {
  /** The node a session starts in; drawn first and marked. */
  readonly start?: string;
  /** How wide it may be; as wide as its widest line otherwise. */
  readonly width?: number;
}

/** The two sides of a box. */
const FRAME = 4;
/** A box that is narrower could not be read. */
const NARROWEST = 24;
/** How much further in. */
const FOLDED = 4;

/**
 * The manifest for a terminal: a box per node, a line per block, an arrow per transition. `▶` is the entry of
 * a node, `◆` a gate, `↺` an arrow that leads back to where execution has been.
 */
export function drawGraph(manifest: ResolvedManifest, { start, width: most }: DrawOptions = {}): string {
  const all = Object.values(manifest.nodes);
  const nodes = [...all.filter((node) => node.id === start), ...all.filter((node) => node.id !== start)];
  const back = backEdges(manifest, nodes);
  const room = Math.max(NARROWEST, (most ?? Number.POSITIVE_INFINITY) - FRAME);
  const boxes = nodes.map((node) => ({
    title: clip(node.id === start ? `${node.id} (start)` : node.id, room - 2),
    lines: nodeLines(manifest, node, back).flatMap((line) => folded(line, room)),
  }));
  const width = widest(boxes.flatMap(({ title, lines }) => [`${title}  `, ...lines]));
  return boxes.map(({ title, lines }) => box(title, lines, width)).join('\n');
}

function nodeLines(manifest: ResolvedManifest, node: ResolvedNode, back: ReadonlySet<string>): string[] {
  const blocks = node.order.flatMap((id) => manifest.blocks[id] ?? []);
  const nameSize = widest(blocks.map((block) => block.name));
  const lines = blocks.flatMap((block) => [
    headLine(manifest, node, block, nameSize),
    ...transitionLines(manifest, block, back),
  ]);
  return node.inherits ? lines : ['  (sees no memory of its callers)', ...lines];
}

/** A line that is too long goes on below, further in than it began. */
function folded(line: string, width: number): string[] {
  if (size(line) <= width) return [line];
  const words = line.trimStart();
  const start = ' '.repeat(line.length - words.length);
  const [first = '', ...rest] = broken(words.replace(/ {2,}/g, ' '), width - start.length - FOLDED);
  return [start + first, ...rest.map((part) => `${start}${' '.repeat(FOLDED)}${part}`)];
}

function headLine(
  manifest: ResolvedManifest,
  node: ResolvedNode,
  block: ResolvedBlock,
  nameSize: number,
): string {
  const marks = [
    manifest.gates.includes(block.id) ? '◆ gate' : '',
    block.limits ? `limit ${limitWords(block.limits)}` : '',
  ].filter((mark) => mark !== '');
  const entry = block.id === node.entry ? '▶' : ' ';
  return [`${entry} ${pad(block.name, nameSize)}`, block.worker, ...marks].join('  ');
}

function transitionLines(
  manifest: ResolvedManifest,
  block: ResolvedBlock,
  back: ReadonlySet<string>,
): string[] {
  if (block.transitions.length === 0) return ['    ends here'];
  const table = [...block.transitions, ...returnedTable(block)];
  const signalSize = widest(table.map(({ on_signal }) => shortSignal(on_signal)));
  return table.map(({ on_signal, action }) => {
    const leadsBack = 'to' in action && back.has(edgeKey(block.id, action.to));
    const arrow = leadsBack ? '─↺' : '─▶';
    return `    ${pad(shortSignal(on_signal), signalSize)} ${arrow} ${actionWords(action, block, manifest)}`;
  });
}

function box(title: string, lines: readonly string[], width: number): string {
  const top = `╭─ ${title} ${'─'.repeat(width - size(title) - 1)}╮`;
  const middle = lines.map((line) => `│ ${pad(line, width)} │`);
  return [top, ...middle, `╰${'─'.repeat(width + 2)}╯`].join('\n');
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, size(text)), 0);
}

function edgeKey(from: BlockId, to: BlockId): string {
  return `${from}\n${to}`;
}

/** The arrows that lead to a block which is still open on the way there, walking from the entry of each node. */
function backEdges(manifest: ResolvedManifest, nodes: readonly ResolvedNode[]): Set<string> {
  const edges = new Map(
    Object.values(manifest.blocks).map((block) => [block.id, successors(block, { halts: false })]),
  );
  const found = new Set<string>();
  const starts = nodes.flatMap((node) => [node.entry, ...node.order]);
  walk(edges, { back: (from, to) => found.add(edgeKey(from, to)) }, starts);
  return found;
}
