import { type ProblemReport, quote } from '../problem.ts';
import { END_OF_NODE } from '../resolved.ts';
import type { Draft, DraftBlock, DraftNode } from './draft.ts';

/** Every name of a manifest. A block is `Node__Block` from anywhere and `Block` inside its own node. */
export class Names {
  readonly nodes: ReadonlyMap<string, DraftNode>;
  readonly blocks: ReadonlyMap<string, DraftBlock>;

  constructor(nodes: ReadonlyMap<string, DraftNode>, blocks: ReadonlyMap<string, DraftBlock>) {
    this.nodes = nodes;
    this.blocks = blocks;
  }

  /** The full id wins over a bare name, so a block means the same thing wherever its full id is written. */
  block(written: string, node: string): DraftBlock | undefined {
    return this.blocks.get(written) ?? this.blocks.get(`${node}__${written}`);
  }

  /** One of the node's own blocks. Undefined when `entry_block` is wrong, which is reported where it stands. */
  entryOf(node: DraftNode): DraftBlock | undefined {
    const written = node.fields.entry_block?.trim();
    return (
      node.blocks.find((block) => block.id === written) ?? node.blocks.find((block) => block.name === written)
    );
  }

  /** What could have been meant in a given node, nearest first. */
  near(node: string): string[] {
    const own = this.nodes.get(node)?.blocks.map((block) => block.name) ?? [];
    return [...own, ...this.blocks.keys()];
  }
}

/** Indexes the names and reports those that could not be written in an action or would be ambiguous. */
export function indexNames(draft: Draft, report: ProblemReport): Names {
  const nodes = new Map(draft.nodes.map((node) => [node.id, node]));
  const blocks = new Map<string, DraftBlock>();
  for (const node of draft.nodes) {
    const wrong = wrongName(node.id);
    if (wrong) report.error(node.place, `The node name ${quote(node.id)} ${wrong}`);
    for (const block of node.blocks) {
      const other = blocks.get(block.id);
      const problem = wrongBlockName(block) ?? (other && taken(block, other));
      if (problem) report.error(block.place, problem);
      // Also under a wrong name, so that what refers to it is not reported as well.
      if (!other) blocks.set(block.id, block);
    }
  }
  if (draft.nodes.length === 0) {
    report.error(
      { path: [] },
      'The manifest has no nodes; a workflow needs at least one node with one block.',
    );
  }
  return new Names(nodes, blocks);
}

function wrongBlockName({ key, name }: DraftBlock): string | undefined {
  if (/^\d+$/.test(key)) {
    return `The block name ${quote(key)} looks like a number, and JavaScript reorders such keys; start it with a letter.`;
  }
  const wrong = name === END_OF_NODE ? 'is reserved for the end of a node; choose another.' : wrongName(name);
  return wrong && `The block name ${quote(key)} ${wrong}`;
}

function wrongName(name: string): string | undefined {
  if (name.trim() === '') return 'is empty; give it a name.';
  if (name !== name.trim())
    return 'begins or ends with a blank, so no action could name it; remove the blank.';
  if (/[:\p{Cc}]/u.test(name)) return 'holds a colon or a control character, so no action could name it.';
  return undefined;
}

function taken(block: DraftBlock, other: DraftBlock): string {
  return `Block ${quote(block.key)} has the id ${block.id}, which ${quote(other.key)} of node ${other.node} has already; rename one.`;
}
