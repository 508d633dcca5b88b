import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../api';
import { type Filter, filterQuery, withQuery } from '../filter';
import { ago, dateTime, duration, score } from '../format';
import { Badge } from '../parts/badge';
import { useRows } from '../parts/rows';
import { useShortcuts } from '../state/shortcuts';
import { count, t } from '../words';
import { Deletion, hide } from './bulk';

type Listed = Schemas['ListedResponse'];

interface Props {
  page: { responses: Listed[]; total: number };
  link: string;
  filter: Filter;
  mayChange: boolean;
  onChanged: () => Promise<void>;
}

/** A page of responses, and what can be done with those that are selected. */
export function ResponseTable({ page, link, filter, mayChange, onChanged }: Props) {
  const numbers = page.responses.map((response) => response.number);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [deleting, setDeleting] = useState<number[] | null>(null);
  const shown = numbers.join();
  useEffect(() => setSelected(new Set()), [shown]);
  const toggle = (number: number) => setSelected((before) => {
    const next = new Set(before);
    if (!next.delete(number)) next.add(number);
    return next;
  });
  const { table, down, up, current } = useRows();
  useShortcuts([
    { key: 'j', label: t('keyDown'), run: down },
    { key: 'k', label: t('keyUp'), run: up },
    { key: 'enter', label: t('keyOpen'), run: () => {} },
    { key: 'f', label: t('keyFilter'), run: () => document.querySelector<HTMLInputElement>('input[name=words]')?.focus() },
    ...(mayChange ? [{ key: 'x', label: t('keySelect'), run: () => { const row = current(); if (row) toggle(Number(row)); } }] : []),
  ]);
  const chosen = numbers.filter((number) => selected.has(number));
  const all = chosen.length === numbers.length;
  const showing = filter.hidden === 'true';
  return (
    <>
      <div class={chosen.length > 0 ? 'selection on' : 'selection'}>
        <p role="status">{chosen.length > 0 ? count('selected', chosen.length) : count('responses', page.total)}</p>
        {chosen.length > 0 && (
          <>
            <button type="button" onClick={() => void hide(link, chosen, !showing, onChanged)}>{t(showing ? 'showAgain' : 'hide')}</button>
            <button type="button" class="danger outline" onClick={() => setDeleting(chosen)}>{t('delete')}</button>
            <button type="button" class="quiet" onClick={() => setSelected(new Set())}>{t('selectNone')}</button>
          </>
        )}
      </div>
      <div class="scroll">
        <table ref={table} class="list responses">
          <caption class="unseen">{t('responsesTitle')}</caption>
          <thead>
            <tr>
              {mayChange && <td class="pick"><label><input type="checkbox" aria-label={t('selectPage')} checked={all}
                ref={(box) => { if (box) box.indeterminate = chosen.length > 0 && !all; }} onChange={() => setSelected(new Set(all ? [] : numbers))} /></label></td>}
              <th scope="col">#</th><th scope="col">{t('tagline')}</th><th scope="col">{t('state')}</th><th scope="col" class="right">{t('quality')}</th>
              <th scope="col" class="right">{t('time')}</th><th scope="col">{t('tags')}</th><th scope="col">{t('parameters')}</th><th scope="col">{t('begun')}</th>
            </tr>
          </thead>
          <tbody>
            {page.responses.map((response) => (
              <ResponseRow key={response.number} response={response} link={link} filter={filter} selected={selected.has(response.number)}
                onToggle={mayChange ? () => toggle(response.number) : null} />
            ))}
          </tbody>
        </table>
      </div>
      {deleting && <Deletion link={link} numbers={deleting} onClose={() => setDeleting(null)} onDeleted={onChanged} />}
    </>
  );
}

interface RowProps {
  response: Listed;
  link: string;
  filter: Filter;
  selected: boolean;
  onToggle: (() => void) | null;
}

function ResponseRow({ response, link, filter, selected, onToggle }: RowProps) {
  const { number, tagline, tags, givenTags, parameters } = response;
  const list = `/p/${encodeURIComponent(link)}`;
  const href = withQuery(`${list}/responses/${number}`, filterQuery(filter));
  return (
    <tr aria-selected={onToggle ? selected : undefined}>
      {onToggle && <td class="pick"><label><input type="checkbox" aria-label={t('selectOne', { n: number })} checked={selected} onChange={onToggle} /></label></td>}
      <td class="soft number">{number}</td>
      <th scope="row"><a href={href} data-row={number} dir="auto" title={tagline}>{tagline || t('responseN', { n: number })}</a></th>
      <td><Badge state={response.progress} />{response.hidden && filter.hidden === 'any' && <Badge state="hidden" />}</td>
      <td class="right number"><Score quality={response.quality} override={response.override} /></td>
      <td class="right number soft">{duration(response.durationSeconds)}</td>
      <td class="chips">{givenTags.map((tag) => <a key={tag.id} class={`chip given ${tag.colour}`} href={withQuery(list, filterQuery({ ...filter, tag: tag.name }))}><bdi>{tag.name}</bdi></a>)}{tags.slice(0, 3).map((tag) => <a key={tag} class="chip" dir="auto" href={withQuery(list, filterQuery({ ...filter, tag }))}>{tag}</a>)}{tags.length > 3 && <span class="soft small" title={tags.slice(3).join(', ')}>+{tags.length - 3}</span>}</td>
      <td class="chips">{Object.entries(parameters).slice(0, 2).map(([name, value]) => (
        <a key={name} class="chip" dir="auto" href={withQuery(list, filterQuery({ ...filter, parameter: `${name}=${value}` }))}><span class="soft">{name}</span> {value}</a>
      ))}</td>
      <td class="soft"><time dateTime={response.createdAt} title={dateTime(response.createdAt)}>{ago(response.createdAt, Date.now())}</time></td>
    </tr>
  );
}

/** A score; where a person gave another one, that one with a mark. */
export function Score({ quality, override }: { quality: number | null; override: number | null }) {
  if (override !== null) return <strong title={quality === null ? t('byPerson') : t('byPersonInstead', { n: score(quality) })}>{score(override)}<span aria-hidden="true">*</span><span class="unseen"> {t('byPerson')}</span></strong>;
  return quality === null ? <span class="soft" title={t('notJudged')}>–<span class="unseen"> {t('notJudged')}</span></span> : <span>{score(quality)}</span>;
}
