import { useEffect, useState } from 'preact/hooks';
import { api, ask, failureOf, type Schemas } from '../api';
import { reason } from '../parts/loaded';
import { useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { useShortcuts } from '../state/shortcuts';
import { t as main } from '../words';
import { type Annotation, AnnotationDialog, type Target } from './annotation_dialog';
import { type Selected, selectedWords } from './selection';
import { t } from './words';

const none: readonly Schemas['GivenTag'][] = [];

/** The notes and highlights of a response, and what can be done with them. */
export function useAnnotations(link: string, number: number) {
  const path = { studyRef: link, number: String(number) };
  const annotations = useQuery({
    key: ['annotations', link, number],
    load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/responses/{number}/annotations', { params: { path }, signal })),
  });
  const vocabulary = useTags(link);
  const [target, setTarget] = useState<Target | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: ['annotations', link] });
  const remove = async (annotation: Annotation) => {
    try {
      await ask(api.DELETE('/api/dashboard/studies/{studyRef}/responses/{number}/annotations/{annotationId}', { params: { path: { ...path, annotationId: annotation.id } } }));
      await refresh();
      notify(t('removed'), async () => {
        const { row, from, to, words, note, tags } = annotation;
        await ask(api.POST('/api/dashboard/studies/{studyRef}/responses/{number}/annotations', { params: { path }, body: { ...(row !== null && from !== null && to !== null && { row, from, to, words }), note, tags } }));
        await refresh();
      });
    } catch (error) {
      notify(`${main('couldNot', { what: t('removing') })} ${reason(failureOf(error))}`);
    }
  };
  const highlight = async (words: Selected) => {
    try {
      const made = await ask(api.POST('/api/dashboard/studies/{studyRef}/responses/{number}/annotations', { params: { path }, body: words }));
      getSelection()?.removeAllRanges();
      await refresh();
      notify(t('highlighted'), async () => {
        await ask(api.DELETE('/api/dashboard/studies/{studyRef}/responses/{number}/annotations/{annotationId}', { params: { path: { ...path, annotationId: made.id } } }));
        await refresh();
      });
    } catch (error) {
      notify(`${main('couldNot', { what: t('highlighting') })} ${reason(failureOf(error))}`);
    }
  };
  const dialog = target && <AnnotationDialog {...target} link={link} number={number} vocabulary={vocabulary} onClose={() => setTarget(null)} />;
  return { annotations, vocabulary, highlight, remove, open: setTarget, dialog };
}

/** The tags that a study can use. */
export const useTags = (link: string): readonly Schemas['GivenTag'][] => useQuery({
  key: ['tags', link],
  load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/tags', { params: { path: { studyRef: link } }, signal })),
}).data?.tags ?? none;

interface Props {
  onHighlight: (words: Selected) => void;
  onOpen: (words: Selected, focus: 'note' | 'tags') => void;
}

/** A bar that appears while words of an answer are selected, with its keys. */
export function MarkingBar({ onHighlight, onOpen }: Props) {
  const [words, setWords] = useState<Selected | null>(null);
  useEffect(() => {
    const follow = () => {
      if (!document.activeElement?.closest('.marking')) setWords(selectedWords());
    };
    document.addEventListener('selectionchange', follow);
    return () => document.removeEventListener('selectionchange', follow);
  }, []);
  const now = () => selectedWords() ?? words;
  const run = (action: (words: Selected) => void) => () => {
    const chosen = now();
    if (!chosen) return;
    setWords(null);
    action(chosen);
  };
  const actions = [
    ['h', t('keyHighlight'), t('highlight'), run(onHighlight)],
    ['t', t('keyTag'), t('tag'), run((chosen) => onOpen(chosen, 'tags'))],
    ['n', t('keyNote'), t('note'), run((chosen) => onOpen(chosen, 'note'))],
  ] as const;
  useShortcuts(actions.map(([key, label, , action]) => ({ key, label, run: action })));
  if (!words) return null;
  return (
    <div class="marking" role="toolbar" aria-label={t('marking')}>
      {actions.map(([key, , label, action]) => (
        <button key={key} type="button" onPointerDown={(event) => event.preventDefault()} onClick={action}>{label} <kbd aria-hidden="true">{key.toUpperCase()}</kbd></button>
      ))}
    </div>
  );
}
