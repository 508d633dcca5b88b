import { useId, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { Dialog } from '../parts/dialog';
import { Form } from '../parts/form';
import { cache } from '../state/session';
import type { Selected } from './selection';
import { TagFields } from './tag_fields';
import { t } from './words';

export type Annotation = Schemas['Annotation'];

/** What is annotated: selected words, the whole response, or an annotation that is there already. */
export interface Target {
  words: Selected | null;
  annotation: Annotation | null;
  focus: 'note' | 'tags';
}

interface Props extends Target {
  link: string;
  number: number;
  vocabulary: readonly Schemas['GivenTag'][];
  onClose: () => void;
}

/** Asks for the note and the tags of selected words, of a response, or of what was highlighted before. */
export function AnnotationDialog({ link, number, vocabulary, words, annotation, focus, onClose }: Props) {
  const [tags, setTags] = useState<string[]>(annotation?.tags ?? []);
  const id = useId();
  const path = { studyRef: link, number: String(number) };
  const save = async ({ note = '' }: Record<string, string>) => {
    if (annotation) {
      await ask(api.PATCH('/api/dashboard/studies/{studyRef}/responses/{number}/annotations/{annotationId}', { params: { path: { ...path, annotationId: annotation.id } }, body: { note, tags } }));
    } else {
      await ask(api.POST('/api/dashboard/studies/{studyRef}/responses/{number}/annotations', { params: { path }, body: { ...words, note, tags } }));
    }
    await cache.invalidateQueries({ queryKey: ['annotations', link] });
    onClose();
  };
  const quoted = annotation?.words ?? words?.words ?? '';
  return (
    <Dialog title={t('editTitle')} onClose={onClose}>
      {quoted ? <blockquote class="quoted" dir="auto">{quoted}</blockquote> : <p class="soft">{t('wholeResponse')}</p>}
      <Form submit={t('save')} onSubmit={save}>
        <TagFields link={link} vocabulary={vocabulary} chosen={tags} onChange={setTags} autofocus={focus === 'tags'} />
        <div class="field">
          <label for={id}>{t('note')}</label>
          <textarea id={id} name="note" rows={3} maxLength={4000} dir="auto" defaultValue={annotation?.note ?? ''}
            ref={(field) => { if (focus === 'note' && field && !field.dataset.begun) { field.dataset.begun = 'yes'; field.focus(); } }} />
        </div>
      </Form>
    </Dialog>
  );
}
