import { isEnd, type ResolvedBlock, type ResolvedManifest, type ResolvedTransition } from '../resolved.ts';
import { limitWords, returnedTable, shortSignal } from './words.ts';

/** The manifest as a Mermaid flowchart: a subgraph per node, a box per block. Ids are ours, labels escaped. */
export function mermaid(manifest: ResolvedManifest): string {
  const ids = new Map(Object.keys(manifest.blocks).map((id, index) => [id, `b${index}`]));
  const idOf = (block: string): string => ids.get(block) ?? 'unknown';
  const lines = ['flowchart TD'];
  for (const [index, node] of Object.values(manifest.nodes).entries()) {
    lines.push(`  subgraph n${index}["${escape(node.id)}"]`);
    for (const id of node.order) {
      const block = manifest.blocks[id];
      if (block) lines.push(`    ${idOf(id)}${shape(manifest, block, node.entry === id)}`);
    }
    lines.push('  end');
  }
  for (const block of Object.values(manifest.blocks)) {
    for (const transition of [...block.transitions, ...returnedTable(block)]) {
      for (const edge of edges(block, transition, idOf)) lines.push(`  ${edge}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function shape(manifest: ResolvedManifest, block: ResolvedBlock, entry: boolean): string {
  const words = [
    escape(block.name),
    escape(block.worker),
    ...(block.limits ? [escape(`limit ${limitWords(block.limits)}`)] : []),
    ...(manifest.gates.includes(block.id) ? ['gate'] : []),
  ];
  const label = `"${words.join('<br/>')}"`;
  return entry ? `([${label}])` : `[${label}]`;
}

function edges(
  block: ResolvedBlock,
  { on_signal, action }: ResolvedTransition,
  idOf: (id: string) => string,
): string[] {
  const from = idOf(block.id);
  const signal = escape(shortSignal(on_signal));
  if (action.verb === 'JUMP') return [`${from} -->|"${signal}"| ${idOf(action.to)}`];
  if (action.verb === 'RETURN') return [`${from} -->|"${signal}"| ${from}_return((return))`];
  if (action.verb === 'HALT_AND_FLAG') return [`${from} -->|"${signal}"| ${from}_halt{{halt}}`];
  const back = isEnd(action.returnTo) ? `${from}_return((return))` : idOf(action.returnTo);
  return [`${from} ==>|"${signal}: call"| ${idOf(action.to)}`, `${from} -.->|"after the call"| ${back}`];
}

/** Mermaid's own entities; without them a quote, bracket or tag in a name would end the label. */
function escape(text: string): string {
  return text.replace(/[^\p{L}\p{N} _.,:@-]/gu, (char) => `#${char.codePointAt(0)};`);
}
