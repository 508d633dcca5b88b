// Tables as CSV, as spreadsheets write and read it.

const formula = /^[=+\-@\t\r]/;
const guarded = /^'(?='*[=+\-@\t\r])/;

/** Returns rows as CSV. No cell can be taken for a formula. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    const safe = formula.test(text) || guarded.test(text) ? `'${text}` : text;
    return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Returns the rows of CSV. Cells are parted by what parts those of the first line: a comma, a semicolon or a tab. */
export function parseCsv(text: string): string[][] {
  const plain = text.replace(/^\ufeff/, '');
  const head = plain.slice(0, plain.search(/[\r\n]|$/));
  const part = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0] ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    row.push(cell.replace(guarded, ''));
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let i = 0; i < plain.length; i++) {
    const c = plain[i] as string;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (plain[i + 1] === '"') cell += plain[i++];
      else quoted = false;
    } else if (c === '"' && cell === '') quoted = true;
    else if (c === part) endCell();
    else if (c === '\n' || c === '\r') {
      if (c === '\r' && plain[i + 1] === '\n') i++;
      endRow();
    } else cell += c;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
