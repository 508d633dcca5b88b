import { useRef, useState } from 'preact/hooks';
import { Chart } from './chart';
import type { Drawing } from './charts';
import { save, standalone } from './picture';
import { CsvLink, ReportTable } from './tables';
import { t } from './words';

interface Props {
  drawing: Drawing;
  title: string;
  /** Base and date, for the file. */
  small: string;
  link: string;
  reportId: string;
  section: string;
  /** A heading above the chart, where a question has several. */
  caption?: string | undefined;
}

/** A chart with its table, and both to save. The table is there for assistive technology while the chart is shown. */
export function Figure({ drawing, title, small, link, reportId, section, caption }: Props) {
  const [asTable, setAsTable] = useState(false);
  const figure = useRef<HTMLElement>(null);
  const saveChart = () => {
    const found = figure.current?.querySelector('svg');
    if (found) save(`${link}-${section}-${drawing.table.key}.svg`, 'image/svg+xml', standalone(found, [title, caption].filter(Boolean).join(': '), small));
  };
  return (
    <figure ref={figure} aria-label={caption ? `${title}: ${caption}` : title}>
      <figcaption class="row">
        {caption && <h3 dir="auto">{caption}</h3>}
        <div class="row push tools-of-figure">
          <fieldset class="figure-toggle" aria-label={t('view')}>
            <button type="button" class="small" aria-pressed={!asTable} onClick={() => setAsTable(false)}>{t('chart')}</button>
            <button type="button" class="small" aria-pressed={asTable} onClick={() => setAsTable(true)}>{t('table')}</button>
          </fieldset>
          <CsvLink link={link} reportId={reportId} section={section} table={drawing.table} />
          {!asTable && <button type="button" class="small" aria-label={t('svgOf', { title: drawing.table.title })} onClick={saveChart}>{t('svg')}</button>}
        </div>
      </figcaption>
      {!asTable && <Chart rows={drawing.rows} kind={drawing.kind} max={drawing.max} unit={drawing.unit} axis={drawing.axis} {...(drawing.reference !== undefined && { reference: drawing.reference })} />}
      <ReportTable table={drawing.table} unseen={!asTable} />
    </figure>
  );
}
