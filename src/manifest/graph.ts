import { successors, walk } from './compile/flow.ts';
import { actionWords, limitWords, returnedTable, shortSignal } from './graph/words.ts';
import type { BlockId, ResolvedBlock, ResolvedManifest, ResolvedNode } from './resolved.ts';

export { mermaid } from './graph/mermaid.ts';

export interface DrawOptions {
  /** The node a session starts in; drawn first and marked. */
  readonly start?: string;
}

/**
 * The manifest for a terminal: a box per node, a line per block, an arrow per transition. `▶` is the entry of
 * a node, `◆` a gate, `↺` an arrow that leads back to where execution has been.
 */
export function drawGraph(manifest: ResolvedManifest, { start }: DrawOptions = {}): string {
  const all = Object.values(manifest.nodes);
  const nodes = [...all.filter((node) => node.id === start), ...all.filter((node) => node.id !== start)];
  const back = backEdges(manifest, nodes);
  const boxes = nodes.map((node) => ({
    title: node.id === start ? `${node.id} (start)` : node.id,
    lines: nodeLines(manifest, node, back),
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

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - size(text)));
}

const segmenter = new Intl.Segmenter();
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|\p{Emoji_Presentation}/u;

/** Columns on a terminal. */
function size(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return Array.from(segmenter.segment(text), ({ segment }) => (WIDE.test(segment) ? 2 : 1)).reduce(
    (sum: number, columns) => sum + columns,
    0,
  );
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
