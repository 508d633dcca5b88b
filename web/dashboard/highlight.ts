// Paints parts of texts by the Custom Highlight API, which needs no elements: 60 instead of 9,060 for an interview of 40 minutes.
import type { Colour } from './review/colours';
import type { Span } from './transcript';

export type Paint = 'spoken' | 'evidence' | 'uncertain' | `marked-${Colour}`;

/** Whether the browser can paint ranges. Others get <mark> elements. */
export const canPaint = typeof Highlight === 'function' && typeof CSS !== 'undefined' && 'highlights' in CSS;

/** Paints spans of a text node. The returned function takes the paint away. */
export function paint(kind: Paint, node: Text, spans: readonly Span[]): () => void {
  let highlight = CSS.highlights.get(kind);
  if (!highlight) {
    highlight = new Highlight();
    CSS.highlights.set(kind, highlight);
  }
  const ranges = spans.map(({ from, to }) => {
    const range = new Range();
    range.setStart(node, Math.min(from, node.length));
    range.setEnd(node, Math.min(to, node.length));
    return range;
  });
  for (const range of ranges) highlight.add(range);
  return () => { for (const range of ranges) highlight.delete(range); };
}

/** Returns the node and offset under the pointer, or null. */
export function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret ? { node: caret.offsetNode, offset: caret.offset } : null;
  }
  const range = (document as Document).caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}
