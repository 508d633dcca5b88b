import type { Schemas } from '../api';
import type { Mark, Numbered } from '../evidence';
import { t } from '../words';
import { MarkButton } from './answers';

interface Props {
  numbered: readonly Numbered[];
  writtenBy: Schemas['Response']['writtenBy'];
  tags: readonly string[];
  shown: Mark | null;
  onMark: (mark: Mark) => void;
}

/** What the analysis says of a response, each statement with the words that it rests on. */
export function Summary({ numbered, writtenBy, tags, shown, onMark }: Props) {
  const parts = ['tagline', 'summary', 'bullets'] as const;
  return (
    <section class="card summary" aria-labelledby="summary">
      <h2 id="summary">{t('summary')}</h2>
      {numbered.length === 0 && <p class="soft">{t('noSummary')}</p>}
      {parts.map((part) => {
        const found = numbered.filter(({ statement }) => statement.part === part);
        return found.length > 0 && (
          <ul key={part} class={part}>
            {found.map(({ statement, marks }, i) => (
              <li key={i}>
                <span dir="auto">{statement.text}</span>{' '}
                {marks.map((mark) => <MarkButton key={mark.n} mark={mark} shown={shown?.n === mark.n} onPress={() => onMark(mark)} />)}
                {!statement.verified && <span class="badge warn" title={t('unverifiedText')}>{t('unverified')}</span>}
              </li>
            ))}
          </ul>
        );
      })}
      {tags.length > 0 && <p class="chips">{tags.map((tag) => <span key={tag} class="chip" dir="auto">{tag}</span>)}</p>}
      {writtenBy && (
        <p class="soft small written">
          {writtenBy.provider === 'builtin' ? t('writtenBuiltin') : t('writtenBy', { provider: writtenBy.provider, model: writtenBy.model || '–' })}
          {writtenBy.prompt && ` · ${t('prompt', { prompt: writtenBy.prompt })}`}
        </p>
      )}
    </section>
  );
}
