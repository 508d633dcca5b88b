import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api';
import { t } from '../words';
import { Badge } from './badge';
import { Heading } from './heading';

interface Props {
  detail: Schemas['StudyDetail'];
  here: 'edit' | 'launch' | 'responses';
  /** The title where it is being changed. */
  title?: string;
  children?: ComponentChildren;
}

/** The head of a study's pages, with links between them. */
export function StudyHead({ detail, here, title, children }: Props) {
  const { study } = detail;
  const path = `/p/${encodeURIComponent(study.linkId)}`;
  const pages = [['edit', `${path}/edit`, t('editTab')], ['launch', `${path}/launch`, t('launchTab')], ['responses', study.state === 'draft' ? `${path}/responses` : path, t('responsesTitle')]] as const;
  return (
    <>
      <nav class="crumbs" aria-label={t('breadcrumb')}><a href={`/o/${detail.organization.id}/studies`}>{t('studies')}</a></nav>
      <div class="head">
        <Heading title={title ?? (study.title || t('untitled'))} />
        <Badge state={study.state} />
        {children}
      </div>
      <nav class="tabs" aria-label={t('pagesOfStudy')}>
        {pages.map(([name, href, label]) => <a key={name} href={href} aria-current={name === here ? 'page' : undefined}>{label}</a>)}
      </nav>
    </>
  );
}
