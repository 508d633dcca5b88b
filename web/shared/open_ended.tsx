import { useLayoutEffect, useRef } from 'preact/hooks';
import { mainField } from './draft';
import { LettersLeft } from './letters_left';
import type { WidgetProps } from './widget';
import { headingId } from './widget';

/** A text area that grows with its text. Ctrl+Enter or Cmd+Enter sends the answer. */
export function OpenEnded({ draft, change, words, wrong, describedBy, submit }: WidgetProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area || CSS.supports('field-sizing', 'content')) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [draft.text]);
  return (
    <>
    <textarea
      ref={field}
      id={mainField}
      rows={5}
      dir="auto"
      placeholder={words.answerHere}
      aria-labelledby={headingId}
      aria-describedby={describedBy}
      aria-invalid={wrong || undefined}
      value={draft.text ?? ''}
      onInput={(e) => change({ text: e.currentTarget.value })}
      onKeyDown={(e) => {
        if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
          e.preventDefault();
          submit();
        }
      }}
    />
    <LettersLeft text={draft.text ?? ''} words={words} />
    </>
  );
}
