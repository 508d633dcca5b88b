// Lists from other programs as options.

// A bullet, a number, a letter or an empty box, with the space after it: "3.5 hours" has none.
const bullet = /^(?:[-*•◦○●☐□▪–—‣·]\s+|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s+|\[[ xX]?\]\s*)/;

/** Returns the lines of a pasted list without bullets and numbers; cells of a row that was copied from a table count as lines. */
export function pastedList(text: string): string[] {
  const lines = text.split(/\r\n|[\r\n\t\u2028\u2029]/).map((line) => line.trim()).filter((line) => line !== '');
  const bulleted = lines.filter((line) => bullet.test(line)).length;
  return lines.map((line) => (bulleted * 2 > lines.length || /^[•◦○●☐□▪‣·]/.test(line) ? line.replace(bullet, '').trim() : line)).filter((line) => line !== '');
}
