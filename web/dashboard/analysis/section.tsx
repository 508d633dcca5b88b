import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icon';
import { number } from '../format';
import { comparedOf, drawingOf, funnelOf } from './charts';
import { Figure } from './figure';
import { comparisonsOf, numeric, type Part, partsOf, type Section, tableOf, type Table } from './report';
import { CsvLink, Heat, ReportTable } from './tables';
import { count, known, t } from './words';

export interface Place {
  link: string;
  reportId: string;
  /** When the responses were read, in words. */
  asOf: string;
}

interface Props extends Place {
  section: Section;
  /** The address that counts only those who chose an option, by its text. */
  hrefs: ReadonlyMap<string, string>;
  children?: ComponentChildren;
}

/** One question of the report. */
export function Question({ section, hrefs, children, ...place }: Props) {
  const parts = partsOf(section);
  const [all] = parts;
  const title = `${section.number ? `Q${section.number} ` : ''}${section.heading}`;
  const shown = parts.length > 1 ? parts.filter(({ answered }) => answered > 0) : parts;
  return (
    <section class="card question" id={`s-${section.key}`} aria-label={title}>
      <header>
        <h2 dir="auto">{section.number ? <span class="soft">Q{section.number} </span> : null}{section.heading}</h2>
        <p class="row soft small">
          <span class="badge plain">{known(`kind_${section.kind}`) ?? section.kind}</span>
          {all && <Base part={all} />}
        </p>
      </header>
      {all && all.answered === 0 ? <p class="soft">{t('noAnswersYet')}</p> : (
        <>
          <div class={shown.length > 1 ? 'concept-figures' : undefined}>
            {shown.map((part) => <PartOf key={part.suffix} section={section} part={part} several={shown.length > 1} title={title} hrefs={hrefs} {...place} />)}
          </div>
          {section.kind === 'file_upload' && <Files section={section} link={place.link} />}
          {tableOf(section, 'concepts') && <Beside section={section} {...place} />}
        </>
      )}
      {children}
      <Notes section={section} />
      {all && all.answered > 0 && <AllTables section={section} {...place} />}
    </section>
  );
}

const Base = ({ part }: { part: Part }) => (
  <>
    <span class="number">{part.asked === part.answered ? t('base', { n: number(part.answered) }) : t('baseOf', { n: number(part.answered), asked: number(part.asked) })}</span>
    {part.small && <Small />}
  </>
);

const Small = () => <span class="badge warn"><Icon name="warning" />{t('small')}</span>;

interface PartProps extends Place {
  section: Section;
  part: Part;
  several: boolean;
  title: string;
  hrefs: ReadonlyMap<string, string>;
}

function PartOf({ section, part, several, title, hrefs, ...place }: PartProps) {
  const caption = several ? part.label : undefined;
  const base = `${t('base', { n: number(part.answered) })} · ${place.asOf}`;
  const drawing = drawingOf(section, part.suffix, hrefs);
  const cells = tableOf(section, `cells${part.suffix}`);
  const compared = comparisonsOf(section, part);
  return (
    <div class="part">
      {several && <p class="row soft small part-base"><Base part={part} /></p>}
      {compared.length === 0 && drawing && <Figure drawing={drawing} title={title} caption={caption} small={base} section={section.key} {...place} />}
      {cells && <Matrix table={cells} caption={caption} section={section.key} {...place} />}
      {compared.map((one) => (
        <div key={one.shares.key}>
          <p class="row soft small">{one.groups.map(({ key, name, people, small }) => (
            <span key={key} class={small ? 'badge warn' : 'badge plain'}>{small && <Icon name="warning" />}{t('groupBase', { group: name, n: number(people) })}{small && <span class="unseen">, {t('smallGroup')}</span>}</span>
          ))}</p>
          <Figure drawing={comparedOf(one)} title={title} caption={[caption, one.label].filter(Boolean).join(': ') || undefined} small={`${one.groups.map(({ name, people }) => `${name}: n = ${people}`).join(', ')} · ${place.asOf}`} section={section.key} {...place} />
          {one.marks.size > 0 && <p class="soft small">{t('marks')}</p>}
        </div>
      ))}
    </div>
  );
}

function Matrix({ table, caption, section, ...place }: Place & { table: Table; caption: string | undefined; section: string }) {
  return (
    <figure aria-label={table.title}>
      <figcaption class="row">{caption && <h3 dir="auto">{caption}</h3>}<span class="row push tools-of-figure"><CsvLink link={place.link} reportId={place.reportId} section={section} table={table} /></span></figcaption>
      <Heat table={table} />
    </figure>
  );
}

function Beside({ section, ...place }: Place & { section: Section }) {
  const table = tableOf(section, 'concepts') as Table;
  return (
    <figure aria-label={table.title}>
      <figcaption class="row"><h3>{table.title}</h3><span class="row push tools-of-figure"><CsvLink link={place.link} reportId={place.reportId} section={section.key} table={table} /></span></figcaption>
      <ReportTable table={table} titled />
    </figure>
  );
}

function Files({ section, link }: { section: Section; link: string }) {
  const row = tableOf(section, 'files')?.rows[0];
  if (!row) return null;
  return <p><strong>{count('files', numeric(row.files) ?? 0)}</strong> {t('filesOf', { n: number(numeric(row.answers) ?? 0) })} · <a href={`/p/${encodeURIComponent(link)}/responses`}>{t('filesLink')}</a></p>;
}

/** What the report says of a question: warnings first, then what was found and tested. */
export function Notes({ section, open = false }: { section: Section; open?: boolean }) {
  if (section.sentences.length + section.warnings.length === 0) return null;
  return (
    <details class="figure-notes" open={open}>
      <summary>{t('notes')} <span class="soft number">{section.sentences.length + section.warnings.length}</span></summary>
      <ul>
        {section.warnings.map(({ text }) => <li key={text} class="warning"><Icon name="warning" /><span dir="auto">{text}</span></li>)}
        {section.sentences.map(({ text }) => <li key={text} dir="auto">{text}</li>)}
      </ul>
    </details>
  );
}

function AllTables({ section, ...place }: Place & { section: Section }) {
  const tables = section.tables.filter(({ rows, csvOnly }) => rows.length > 0 && !csvOnly);
  return (
    <details class="all-tables">
      <summary>{t('allTables')} <span class="soft number">{tables.length}</span></summary>
      {tables.map((table) => (
        <div key={table.key}>
          <ReportTable table={table} />
          <p><CsvLink link={place.link} reportId={place.reportId} section={section.key} table={table} /></p>
        </div>
      ))}
    </details>
  );
}

/** The funnel with the time of each item. */
export function Funnel({ section, ...place }: Place & { section: Section }) {
  const drawing = funnelOf(section);
  if (!drawing) return null;
  return (
    <section class="card question" id="s-funnel" aria-label={t('funnel')}>
      <header><h2>{t('funnel')}</h2></header>
      <Figure drawing={drawing} title={t('funnel')} small={place.asOf} section={section.key} {...place} />
      <Notes section={section} open />
    </section>
  );
}
