// The words of a transcript: [start, end, from, to, confidence], in the order in which they were said.

export type Word = readonly number[];

/** From and to in UTF-16 code units of a text. */
export interface Span {
  from: number;
  to: number;
}

/** How long a word stays marked after its end, in seconds, so that the mark does not flicker between words. */
const lingers = 0.4;
/** Words that speech to text was less sure of are dotted. */
const sure = 0.6;

export const spanOf = (word: Word): Span => ({ from: word[2] ?? 0, to: word[3] ?? 0 });

/** Returns the index of the word that is said at a second, or -1 in silence. */
export function wordAt(words: readonly Word[], seconds: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.[0] ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  const word = words[low - 1];
  return word && seconds < (word[1] ?? 0) + lingers ? low - 1 : -1;
}

/** Returns the second at which the words of a span begin; undefined if none of them was recognized. */
export const secondsOf = (words: readonly Word[], { from, to }: Span): number | undefined =>
  words.find((word) => (word[3] ?? 0) > from && (word[2] ?? 0) < to)?.[0];

/** Returns the second of the word at an offset of the text, or of the next word. */
export const secondsAt = (words: readonly Word[], offset: number): number | undefined => words.find((word) => (word[3] ?? 0) > offset)?.[0];

/** Returns the spans of the words that speech to text was not sure of. -1 means that it does not tell. */
export const uncertain = (words: readonly Word[]): Span[] => words.filter((word) => (word[4] ?? -1) >= 0 && (word[4] ?? 1) < sure).map(spanOf);

export interface Fragment {
  text: string;
  from: number;
  kinds: string[];
}

/** Cuts a text at the borders of spans, for browsers that cannot paint ranges. */
export function fragments(text: string, spans: readonly (Span & { kind: string })[]): Fragment[] {
  const within = (offset: number) => Math.max(0, Math.min(offset, text.length));
  const borders = [...new Set([0, text.length, ...spans.flatMap((s) => [within(s.from), within(s.to)])])].sort((a, b) => a - b);
  const cut: Fragment[] = [];
  for (const [i, from] of borders.entries()) {
    const to = borders[i + 1];
    if (to === undefined) break;
    cut.push({ text: text.slice(from, to), from, kinds: spans.filter((s) => s.from < to && s.to > from).map((s) => s.kind) });
  }
  return cut;
}
