import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { type Filter, filterQuery, isFiltered, parseFilter, withQuery } from '../filter';
import { Form, Select } from '../parts/form';
import { Loaded } from '../parts/loaded';
import { StudyHead } from '../parts/study_head';
import { useStudyPage } from '../parts/study_page';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { count, t } from '../words';
import { ExportFiles } from './export_files';

type Format = Schemas['ExportFormat'];

const formats: readonly Format[] = ['xlsx', 'csv', 'sav', 'jsonl', 'zip'];
const pollEvery = 2_000;

/** Writes the responses of a study into files. The filter stands in the address, as on the page of responses. */
export function Export() {
  const { study, search } = useStudyPage();
  const filter = parseFilter(search);
  return <Loaded page of={study} what={t('whatStudy')}>{(detail) => <StudyExports detail={detail} filter={filter} />}</Loaded>;
}

interface Props {
  detail: Schemas['StudyDetail'];
  filter: Filter;
}

function StudyExports({ detail, filter }: Props) {
  const { study } = detail;
  const here = `/p/${encodeURIComponent(study.linkId)}`;
  const key = ['exports', study.id];
  const [underway, setUnderway] = useState(false);
  const files = useQuery({
    key,
    load: async (signal) => {
      const all = await ask(api.GET('/api/dashboard/studies/{studyRef}/exports', { params: { path: { studyRef: study.linkId } }, signal }));
      setUnderway(all.exports.some(({ status }) => status === 'queued' || status === 'running'));
      return all;
    },
    ...(underway && { every: pollEvery }),
  });
  const refresh = () => cache.invalidateQueries({ queryKey: key });
  const write = async (body: { format: Format; layout: Schemas['ExportLayout']; labels: boolean; codebook: boolean }) => {
    const made = await ask(api.POST('/api/dashboard/studies/{studyRef}/exports', { params: { path: { studyRef: study.linkId }, query: filter }, body }));
    notify(t('exportAsked', { name: made.fileName }));
    await refresh();
  };
  return (
    <>
      <StudyHead detail={detail} here="export" query={filterQuery(filter)} />
      <section class="card exporting" aria-labelledby="what">
        <Choice study={study} filter={filter} here={here} onWrite={write} />
        <p class="soft small">{t('exportKept')}</p>
      </section>
      <h2 class="below">{t('exportFiles')}</h2>
      <Loaded of={files} what={t('whatExports')} rows={3}>{({ exports }) => <ExportFiles link={study.linkId} files={exports} onChanged={refresh} />}</Loaded>
    </>
  );
}

interface ChoiceProps {
  study: Schemas['Study'];
  filter: Filter;
  here: string;
  onWrite: (body: { format: Format; layout: Schemas['ExportLayout']; labels: boolean; codebook: boolean }) => Promise<unknown>;
}

/** What is written, and how. What a format does not have is not asked. */
function Choice({ study, filter, here, onWrite }: ChoiceProps) {
  const [format, setFormat] = useState<Format>('xlsx');
  const [content, setContent] = useState('data');
  const tabular = format === 'csv' || format === 'xlsx' || format === 'jsonl';
  const codebook = tabular && content === 'codebook';
  return (
    <Form submit={t('exportWrite')} onSubmit={({ layout, cells }) => onWrite({ format, layout: layout === 'long' ? 'long' : 'wide', labels: cells === 'labels', codebook })}>
      <h2 id="what"><Selected study={study} filter={filter} /></h2>
      <p class="row"><Described filter={filter} /> <a href={withQuery(here, filterQuery(filter))}>{t('exportChange')}</a></p>
      <fieldset class="formats">
        <legend>{t('exportFormat')}</legend>
        {formats.map((name) => (
          <label key={name} class="format">
            <input type="radio" name="format" value={name} checked={format === name} onChange={() => setFormat(name)} />
            <span><b>{t(`export_${name}`)}</b> <span class="soft small">{t(`export_${name}Text`)}</span></span>
          </label>
        ))}
      </fieldset>
      <div class="columns">
        {tabular && <Select label={t('exportContent')} value={content} onChange={setContent} options={[['data', t('content_data')], ['codebook', t('content_codebook')]]} />}
        {!codebook && tabular && <Select label={t('exportLayout')} name="layout" options={[['wide', t('layout_wide')], ['long', t('layout_long')]]} />}
        {!codebook && format !== 'sav' && <Select label={t('exportCells')} name="cells" options={[['codes', t('cells_codes')], ['labels', t('cells_labels')]]} />}
      </div>
    </Form>
  );
}

/** How many responses will be written. */
function Selected({ study, filter }: { study: Schemas['Study']; filter: Filter }) {
  const list = useQuery({
    key: ['responses', study.id, filterQuery(filter)],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/responses', { params: { path: { studyRef: study.linkId }, query: filter }, signal })),
  });
  return <>{list.data ? count('exportOf', list.data.total) : t('content_data')}</>;
}

/** A filter in words. */
export function Described({ filter }: { filter: Filter }) {
  if (!isFiltered(filter)) return <span class="soft">{t('exportAll')}</span>;
  const parts = [
    filter.progress && t(`state_${filter.progress}`),
    filter.hidden === 'true' && t('state_hidden'),
    (filter.qualityFrom || filter.qualityTo) && `${t('quality')} ${filter.qualityFrom ?? 1}–${filter.qualityTo ?? 5}`,
    filter.tag && `#${filter.tag}`,
    filter.parameter?.replace('=', ' = '),
    filter.q && `“${filter.q}”`,
  ].filter(Boolean);
  return <span class="chips"><span class="soft">{t('exportFiltered')}</span> {parts.map((part) => <span key={part} class="chip"><span dir="auto">{part}</span></span>)}</span>;
}
