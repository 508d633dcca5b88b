/** The interface's phrases by key, in the page's language. */
export type Words = Readonly<Record<string, string>>;

/** A phrase with its {n}, {total}, {text} filled in; empty when there is no such phrase. */
export function fill(words: Words, key: string, values: Record<string, string | number> = {}): string {
  return (words[key] ?? '').replace(/\{([a-z]+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The lines of a text that are not blank. */
export const paragraphs = (text: string | null): string[] => (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
