// The address of a quote on the review page.

/** Returns the address at which a quote is shown, marked and played. The words are in the fragment, which is sent to nobody. */
export const quoteAddress = (link: string, number: number, row: number | null, quote: string): string =>
  `/p/${encodeURIComponent(link)}/responses/${number}${row === null ? '' : `#row-${row}=${encodeURIComponent(quote)}`}`;

/** Reads the fragment of such an address; null if it is another one. */
export function parseQuote(fragment: string): { row: number; quote: string } | null {
  const [, row, quote = ''] = /^#row-(\d{1,6})(?:=(.*))?$/s.exec(fragment) ?? [];
  if (!row) return null;
  try {
    return { row: Number(row), quote: decodeURIComponent(quote) };
  } catch {
    return { row: Number(row), quote: '' };
  }
}
