import type { Schemas } from '../api';
import { digitsOf, printed, type Table, text } from './report';
import { t } from './words';

interface Props {
  table: Table;
  /** Whether only assistive technology reads it, because a chart shows the same. */
  unseen?: boolean;
  /** Whether its title stands above it already. */
  titled?: boolean;
}

/** A table of the report with its numbers as the report prints them. */
export function ReportTable({ table, unseen = false, titled = false }: Props) {
  const digits = digitsOf(table);
  const [first, ...others] = table.columns;
  if (!first) return null;
  return (
    <div class={unseen ? 'unseen' : 'scroll cells'} {...(!unseen && scrolled(table.title))}>
      <table>
        <caption class={titled ? 'unseen' : undefined}>{table.title}</caption>
        <thead><tr>{table.columns.map(({ key, head }) => <th key={key} scope="col" class={digits.get(key) !== undefined && table.rows.some((row) => typeof row[key] === 'number') ? 'right' : undefined}>{head}</th>)}</tr></thead>
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={i}>
              <th scope="row" dir="auto">{cell(row[first.key], digits.get(first.key) ?? 0)}</th>
              {others.map(({ key }) => <td key={key} dir="auto" class={typeof row[key] === 'number' ? 'number right' : undefined}>{cell(row[key], digits.get(key) ?? 0)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What lets the keyboard scroll a wide table. */
const scrolled = (label: string) => ({ tabIndex: 0, role: 'region', 'aria-label': label }) as const;

const cell = (value: Table['rows'][number][string] | undefined, digits: number) => (typeof value === 'number' ? printed(value, digits) : text(value));

/** The address of a table as CSV. */
export const csvAddress = (link: string, reportId: string, section: string, table: string): string =>
  `/api/dashboard/studies/${encodeURIComponent(link)}/report/${encodeURIComponent(reportId)}/table?${new URLSearchParams({ section, table })}`;

/** A link that saves a table as CSV. */
export function CsvLink({ link, reportId, section, table }: { link: string; reportId: NonNullable<Schemas['AnalysisReport']['reportId']>; section: string; table: Table }) {
  return <a class="button small" href={csvAddress(link, reportId, section, table.key)} download="" aria-label={t('csvOf', { title: table.title })}>{t('csv')}</a>;
}

/** The shares of a matrix: a cell is the darker the larger its share is, and prints it. */
export function Heat({ table }: { table: Table }) {
  const columns = [...new Set(table.rows.map((row) => text(row.column)))];
  const rows = [...new Set(table.rows.map((row) => text(row.row)))];
  const at = new Map(table.rows.map((row) => [`${text(row.row)}\n${text(row.column)}`, row]));
  return (
    <div class="scroll cells" {...scrolled(table.title)}>
      <table class="heat">
        <caption class="unseen">{table.title}</caption>
        <thead><tr><td />{columns.map((column) => <th key={column} scope="col" dir="auto">{column}</th>)}<th scope="col" class="right">n</th></tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row" dir="auto">{row}</th>
              {columns.map((column) => {
                const found = at.get(`${row}\n${column}`);
                const value = typeof found?.share === 'number' ? found.share : null;
                return <td key={column} class={`number heat-${value === null ? 0 : Math.round(value / 10)}`}><b>{value === null ? '–' : printed(value, 1)}</b> % <span class="small">{text(found?.count)}</span></td>;
              })}
              <td class="number right">{text(at.get(`${row}\n${columns[0]}`)?.base)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
