import { t } from '../words';

const pages = ['responses', 'analysis'] as const;

/** Links to the pages of a study. */
export function StudyPages({ link, here }: { link: string; here: typeof pages[number] }) {
  return (
    <nav class="tabs study-pages" aria-label={t('pagesOfStudy')}>
      {pages.map((page) => <a key={page} href={`/p/${encodeURIComponent(link)}/${page}`} aria-current={page === here ? 'page' : undefined}>{t(`studyPage_${page}`)}</a>)}
    </nav>
  );
}
