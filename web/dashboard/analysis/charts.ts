// Which chart shows a table of the report, with which of its cells.
import type { Bar, Row } from './chart';
import { type Comparison, numeric, printed, type Section, share, tableOf, type Table, text } from './report';
import { t } from './words';

export interface Drawing {
  rows: Row[];
  kind: 'bar' | 'dot';
  max: number;
  unit: string;
  axis: string;
  reference?: number;
  /** What the chart draws, for its table and its file. */
  table: Table;
}

const shareText = (row: Table['rows'][number]) => (typeof row.share !== 'number' ? '–' : t('share', { share: share(row.share), count: text(row.count), base: text(row.base) }));

/** Returns the chart of a part of a question; null if there is nothing to draw. hrefs are the addresses that labels open. */
export function drawingOf(section: Section, suffix: string, hrefs?: ReadonlyMap<string, string>): Drawing | null {
  const href = (label: string) => { const address = hrefs?.get(label); return address ? { href: address } : {}; };
  switch (section.kind) {
    case 'multiple_choice':
    case 'open_ended': {
      const table = tableOf(section, `${section.kind === 'open_ended' ? 'themes' : 'answers'}${suffix}`);
      return table ? {
        table, kind: 'bar', max: 100, unit: ' %', axis: t('axisShare'),
        rows: table.rows.map((row) => ({ label: text(row.label), ...href(text(row.label)), bars: [{ value: numeric(row.share), low: numeric(row.low), high: numeric(row.high), text: shareText(row), tone: 0 }] })),
      } : null;
    }
    case 'ranking': {
      const table = tableOf(section, `ranks${suffix}`);
      return table ? {
        table, kind: 'dot', max: 100, unit: '', axis: t('axisRank'),
        rows: table.rows.map((row) => ({
          label: text(row.label),
          bars: [{ value: numeric(row.points), low: numeric(row.low), high: numeric(row.high), tone: 0, text: typeof row.points === 'number' && typeof row.rank === 'number' ? t('rank', { points: printed(row.points, 1), rank: printed(row.rank, 2) }) : '–' }],
        })),
      } : null;
    }
    case 'max_diff': {
      const table = tableOf(section, `utilities${suffix}`);
      return table ? {
        table, kind: 'dot', max: 100, unit: ' %', axis: t('axisMaxDiff'), reference: 100 / Math.max(1, table.rows.length),
        rows: table.rows.map((row) => ({ label: text(row.label), bars: [{ value: numeric(row.share), low: numeric(row.shareLow), high: numeric(row.shareHigh), text: t('shareAlone', { share: share(row.share) }), tone: 0 }] })),
      } : null;
    }
  }
  return null;
}

/** Returns the chart of groups beside each other. */
export function comparedOf({ shares, groups, marks }: Comparison): Drawing {
  return {
    table: shares, kind: 'bar', max: 100, unit: ' %', axis: t('axisGroups'),
    rows: shares.rows.map((row) => ({
      label: text(row.label),
      bars: groups.map((group, i): Bar => {
        const mark = marks.get(`${text(row.label)}\n${group.key}`);
        return { value: numeric(row[group.key]), tone: i, text: [group.letter, group.name, `${share(row[group.key])} %`, mark?.sign, mark?.lower && `> ${mark.lower}`].filter(Boolean).join(' ') };
      }),
    })),
  };
}

/** Returns the chart of the funnel. */
export function funnelOf(section: Section): Drawing | null {
  const table = tableOf(section, 'items');
  if (!table) return null;
  const max = Math.max(1, ...table.rows.map((row) => numeric(row.shown) ?? 0));
  return {
    table, kind: 'bar', max, unit: '', axis: t('axisFunnel'),
    rows: table.rows.map((row) => ({
      label: `${row.number === null ? '' : `${text(row.number)}. `}${text(row.label)}`,
      bars: [{ value: numeric(row.shown), tone: 0, text: [t(row.screenedOut ? 'funnelScreened' : 'funnelRow', { shown: text(row.shown), left: text(row.left), out: text(row.screenedOut) }), typeof row.median === 'number' && t('seconds', { n: printed(row.median, 1) })].filter(Boolean).join(' · ') }],
    })),
  };
}
