import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { visible } from '../../../src/kernel/visible.ts';

const READ_ONLY = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.lineWrapping,
  lineNumbers(),
];
const FOLDED = { margin: 4, minSize: 8 };

/** Draws both sides of a file into an element; gives what takes them out again. */
export function openDiff(
  parent: HTMLElement,
  {
    before,
    after,
    view,
  }: { readonly before: string; readonly after: string; readonly view: 'unified' | 'split' },
): () => void {
  const [old, now] = [visible(before), visible(after)];
  if (view === 'split') {
    const merge = new MergeView({
      parent,
      a: { doc: old, extensions: READ_ONLY },
      b: { doc: now, extensions: READ_ONLY },
      collapseUnchanged: FOLDED,
      gutter: true,
    });
    return () => merge.destroy();
  }
  const editor = new EditorView({
    parent,
    doc: now,
    extensions: [
      READ_ONLY,
      unifiedMergeView({ original: old, mergeControls: false, collapseUnchanged: FOLDED, gutter: true }),
    ],
  });
  return () => editor.destroy();
}
