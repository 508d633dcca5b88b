import type { VNode } from 'preact';
import { paragraphs } from './words';

/** A part of an author's text: its kind, its text, and the address of a link, which is always https. */
export type Span = [kind: 'text' | 'strong' | 'em', text: string] | [kind: 'link', text: string, address: string];

const mark = /\*\*([^ \t*]|[^ \t*][^*]*[^ \t*])\*\*|\*([^ \t*]|[^ \t*][^*]*[^ \t*])\*|\[([^[\]]*[^[\] \t][^[\]]*)\]\((https:\/\/[^\s()<>"]+)\)/;
const inWord = (letter: string | undefined): boolean => /^[0-9A-Za-z]$/.test(letter ?? '');

/**
 * Divides a paragraph at **strong**, *emphasis* and [text](https://…). internal/api/pages/inline.go does the same for the plain page, and
 * inline_examples.json holds the two to each other.
 */
export function inline(text: string): Span[] {
  const spans: Span[] = [];
  let plain = '';
  let before = ' ';
  let rest = text;
  for (let found = mark.exec(rest); found; found = mark.exec(rest)) {
    const [marked, strong, em, link, address] = found;
    const to = found.index + marked.length;
    if (found.index > 0) before = rest.charAt(found.index - 1);
    if (em !== undefined && (inWord(before) || inWord(rest[to]))) { // such as 5*3*2
      plain += rest.slice(0, found.index + 1);
      before = '*';
      rest = rest.slice(found.index + 1);
      continue;
    }
    plain += rest.slice(0, found.index);
    if (plain) spans.push(['text', plain]);
    plain = '';
    if (strong !== undefined) spans.push(['strong', strong]);
    else if (em !== undefined) spans.push(['em', em]);
    else spans.push(['link', link ?? '', address ?? '']);
    before = rest.charAt(to - 1);
    rest = rest.slice(to);
  }
  if (plain + rest) spans.push(['text', plain + rest]);
  return spans;
}

/** An author's text as paragraphs, with its emphasis and its links as elements. */
export function Paragraphs({ text }: { text: string | null }) {
  return <>{paragraphs(text).map((line, i) => <p key={i}>{inline(line).map(element)}</p>)}</>;
}

function element([kind, text, address]: Span, key: number): VNode | string {
  switch (kind) {
    case 'strong':
      return <strong key={key}>{text}</strong>;
    case 'em':
      return <em key={key}>{text}</em>;
    case 'link':
      return <a key={key} href={address} target="_blank" rel="noopener noreferrer">{text}</a>;
  }
  return text;
}
