import type { Schemas } from '../api';
import { type Mark, type Numbered, parts } from '../evidence';
import { t } from '../words';
import { MarkButton } from './answers';

interface Props {
  numbered: readonly Numbered[];
  writtenBy: Schemas['Response']['writtenBy'];
  tags: readonly string[];
  shown: Mark | null;
  onMark: (mark: Mark) => void;
}

/** A summary of more characters is folded. */
const folded = 400;

/** What the analysis says of a response, each statement with the words that it rests on. */
export function Summary({ numbered, writtenBy, tags, shown, onMark }: Props) {
  return (
    <section class="card summary" aria-labelledby="summary">
      <h2 id="summary">{t('summary')}</h2>
      {numbered.length === 0 && <p class="soft">{t('noSummary')}</p>}
      {parts.map((part) => {
        const found = numbered.filter(({ statement }) => statement.part === part);
        if (found.length === 0) return null;
        const list = <Statements key={part} part={part} found={found} shown={shown} onMark={onMark} />;
        const long = part === 'summary' && found.reduce((length, { statement }) => length + statement.text.length, 0) > folded;
        return long ? <details key={part}><summary>{t('inFull')}</summary>{list}</details> : list;
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

interface StatementsProps extends Pick<Props, 'shown' | 'onMark'> {
  part: string;
  found: readonly Numbered[];
}

function Statements({ part, found, shown, onMark }: StatementsProps) {
  return (
    <ul class={part}>
      {found.map(({ statement, marks }, i) => (
        <li key={i}>
          <span dir="auto">{statement.text}</span>{' '}
          {marks.map((mark) => <MarkButton key={mark.n} mark={mark} shown={shown?.n === mark.n} onPress={() => onMark(mark)} />)}
          {!statement.verified && <span class="badge warn" title={t('unverifiedText')}>{t('unverified')}</span>}
        </li>
      ))}
    </ul>
  );
}
