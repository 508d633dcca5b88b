import { t } from '../words';
import { Icon } from './icon';

interface Props {
  /** The address of the first page, where this one is another. */
  first: string | null;
  next: string | null;
  label: string;
}

/** Links to the first and to the next page of a list. */
export function PageLinks({ first, next, label }: Props) {
  if (!first && !next) return null;
  return (
    <nav class="pages" aria-label={label}>
      {first && <a class="button" href={first}><Icon name="back" />{t('firstPage')}</a>}
      {next && <a class="button" href={next} rel="next">{t('nextPage')}<Icon name="forward" /></a>}
    </nav>
  );
}
