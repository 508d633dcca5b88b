// Which words of an answer are selected.

export interface Selected {
  /** The index of the row. */
  row: number;
  /** In UTF-16 code units of the answer. */
  from: number;
  to: number;
  words: string;
}

/** Returns a part of a text without white space at its ends, and with whole characters only; null if nothing is left. */
export function trimmed(text: string, from: number, to: number): { from: number; to: number; words: string } | null {
  let [start, end] = [Math.max(0, Math.min(from, to)), Math.min(text.length, Math.max(from, to))];
  if (isSecondHalf(text, start)) start--;
  if (isSecondHalf(text, end)) end++;
  while (start < end && /\s/.test(text[start] ?? '')) start++;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end--;
  return start < end ? { from: start, to: end, words: text.slice(start, end) } : null;
}

const isSecondHalf = (text: string, at: number): boolean => at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '');

/** Returns the words that are selected in one answer, or null. An answer is an element with data-answer, the index of its row. */
export function selectedWords(): Selected | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const answer = answerOf(range.startContainer);
  if (!answer) return null;
  const inside = document.createRange();
  inside.selectNodeContents(answer);
  const text = inside.toString();
  const offset = (node: Node, at: number) => {
    const before = document.createRange();
    before.selectNodeContents(answer);
    before.setEnd(node, at);
    return before.toString().length;
  };
  const from = offset(range.startContainer, range.startOffset);
  const to = answer.contains(range.endContainer) ? offset(range.endContainer, range.endOffset) : text.length; // a triple click ends in the next paragraph
  const found = trimmed(text, from, to);
  return found && { row: Number(answer.dataset.answer), ...found };
}

function answerOf(node: Node): HTMLElement | null {
  return (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('[data-answer]') ?? null;
}
