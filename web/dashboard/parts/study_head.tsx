import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api';
import { withQuery } from '../filter';
import { t } from '../words';
import { Badge } from './badge';
import { Heading } from './heading';

interface Props {
  detail: Schemas['StudyDetail'];
  here: 'edit' | 'launch' | 'responses' | 'quotes' | 'analysis' | 'export';
  /** The query of the pages of responses and exports, which they share. */
  query?: string;
  /** The title where it is being changed. */
  title?: string;
  children?: ComponentChildren;
}

/** The head of a study's pages, with links between them. */
export function StudyHead({ detail, here, query = '', title, children }: Props) {
  const { study } = detail;
  const path = `/p/${encodeURIComponent(study.linkId)}`;
  const name = title ?? (study.title || t('untitled'));
  const pages = [
    ['edit', `${path}/edit`, t('editTab')], ['launch', `${path}/launch`, t('launchTab')],
    ['responses', withQuery(study.state === 'draft' ? `${path}/responses` : path, query), t('responsesTitle')],
    ['quotes', `${path}/quotes`, t('quotesTab')], ['analysis', `${path}/analysis`, t('analysisTab')], ['export', withQuery(`${path}/export`, query), t('export')],
  ] as const;
  const label = pages.find(([page]) => page === here)?.[2];
  return (
    <>
      <nav class="crumbs" aria-label={t('breadcrumb')}><a href={`/o/${detail.organization.id}/studies`}>{t('studies')}</a></nav>
      <div class="head">
        <Heading title={`${name}: ${label}`}>{name}</Heading>
        <Badge state={study.state} />
        {children}
      </div>
      <nav class="tabs study-pages" aria-label={t('pagesOfStudy')}>
        {pages.map(([page, href, words]) => <a key={page} href={href} aria-current={page === here ? 'page' : undefined}>{words}</a>)}
      </nav>
    </>
  );
}
