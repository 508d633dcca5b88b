import type { Schemas } from '../api';
import { ago, dateTime } from '../format';
import { Loaded } from '../parts/loaded';
import type { Result } from '../query';
import type { Annotation } from './annotation_dialog';
import { TagChips } from './tag_chips';
import { t } from './words';

interface Props {
  annotations: Result<{ annotations: Annotation[] }>;
  vocabulary: readonly Schemas['GivenTag'][];
  mayChange: boolean;
  onShow: (annotation: Annotation) => void;
  onEdit: (annotation: Annotation) => void;
  onRemove: (annotation: Annotation) => void;
  onNote: () => void;
}

/** What people noted about a response and highlighted in it. */
export function AnnotationList({ annotations, vocabulary, mayChange, onShow, onEdit, onRemove, onNote }: Props) {
  return (
    <section class="card annotations" aria-labelledby="annotations">
      <h2 id="annotations">{t('notes')}</h2>
      <Loaded of={annotations} what={t('whatNotes')} rows={2}>
        {({ annotations: all }) => (all.length === 0 ? <p class="soft small">{t('notesNone')}</p> : (
          <ul>
            {all.map((each) => {
              const name = each.words || t('wholeResponse');
              return (
                <li key={each.id}>
                  {each.from === null || each.row === null ? <p dir="auto" class={each.row === null ? 'soft small' : 'struck'}>{name}</p>
                    : <button type="button" class="quoted" aria-label={t('showWords', { words: name })} onClick={() => onShow(each)}><bdi>{each.words}</bdi></button>}
                  {each.row !== null && each.from === null && <p class="soft small">{t('wordsLost')}</p>}
                  {each.note && <p dir="auto" class="note">{each.note}</p>}
                  <p class="row small soft">
                    <TagChips ids={each.tags} vocabulary={vocabulary} />
                    <span><bdi>{each.userName}</bdi>, <time dateTime={each.createdAt} title={dateTime(each.createdAt)}>{ago(each.createdAt, Date.now())}</time></span>
                    {(each.mine || mayChange) && (
                      <span class="push">
                        <button type="button" class="quiet small" aria-label={t('editOf', { words: name })} onClick={() => onEdit(each)}>{t('edit')}</button>
                        <button type="button" class="quiet small" aria-label={t('removeOf', { words: name })} onClick={() => onRemove(each)}>{t('remove')}</button>
                      </span>
                    )}
                  </p>
                </li>
              );
            })}
          </ul>
        ))}
      </Loaded>
      <p class="actions"><button type="button" onClick={onNote}>{t('noteAll')}</button></p>
    </section>
  );
}
