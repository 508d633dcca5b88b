/** The page's words by key, in its language. */
export type Words = Readonly<Record<string, string>>;

/** Returns the words under a key with {n}, {total} and {text} filled in; "" when there is no such key. */
export function fill(words: Words, key: string, values: Record<string, string | number> = {}): string {
  return (words[key] ?? '').replace(/\{([a-z]+)\}/g, (match, name: string) => String(values[name] ?? match));
}

/** Returns the lines of a text that are not blank. */
export const paragraphs = (text: string | null): string[] => (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
