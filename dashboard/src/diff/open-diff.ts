import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { visible } from '../../../src/kernel/visible.ts';

/** Lines of one side that somebody points at. */
export interface Pointed {
  readonly side: 'before' | 'after';
  readonly from: number;
  readonly to: number;
  readonly quote: string;
}

function readOnly(side: Pointed['side'], point: (pointed: Pointed) => void) {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': side === 'after' ? 'After' : 'Before' }),
    EditorView.lineWrapping,
    lineNumbers({
      domEventHandlers: {
        click: (view, block) => {
          const line = view.state.doc.lineAt(block.from);
          point({ side, from: line.number, to: line.number, quote: line.text });
          return true;
        },
      },
    }),
    EditorView.domEventHandlers({
      keydown: (event, view) => {
        if (event.key !== 'c' || event.ctrlKey || event.metaKey) return false;
        const { from, to } = view.state.selection.main;
        const [first, last] = [view.state.doc.lineAt(from), view.state.doc.lineAt(to)];
        const quote = view.state.sliceDoc(first.from, last.to);
        point({ side, from: first.number, to: last.number, quote });
        event.preventDefault();
        return true;
      },
    }),
  ];
}
const FOLDED = { margin: 4, minSize: 8 };

/** Draws both sides of a file into an element; gives what takes them out again. */
export function openDiff(
  parent: HTMLElement,
  {
    before,
    after,
    view,
  }: { readonly before: string; readonly after: string; readonly view: 'unified' | 'split' },
  point: (pointed: Pointed) => void,
): () => void {
  const [old, now] = [visible(before), visible(after)];
  if (view === 'split') {
    const merge = new MergeView({
      parent,
      a: { doc: old, extensions: readOnly('before', point) },
      b: { doc: now, extensions: readOnly('after', point) },
      collapseUnchanged: FOLDED,
      gutter: true,
    });
    return () => merge.destroy();
  }
  const editor = new EditorView({
    parent,
    doc: now,
    extensions: [
      readOnly('after', point),
      unifiedMergeView({ original: old, mergeControls: false, collapseUnchanged: FOLDED, gutter: true }),
    ],
  });
  return () => editor.destroy();
}
