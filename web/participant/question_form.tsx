import { useEffect, useRef, useState } from 'preact/hooks';
import { Embed } from '../shared/embed';
import { FileUpload } from '../shared/file_upload';
import { hint } from '../shared/hint';
import { Matrix } from '../shared/matrix';
import { MaxDiff } from '../shared/max_diff';
import { Media, unwatched } from '../shared/media';
import { MultipleChoice } from '../shared/multiple_choice';
import type { Question, Step } from '../shared/protocol';
import { widgetOf } from '../shared/protocol';
import { Ranking } from '../shared/ranking';
import { headingId, type WidgetProps } from '../shared/widget';
import { fill, paragraphs, type Words } from '../shared/words';
import type { Bootstrap } from './bootstrap';
import { OpenAnswer } from './open_answer';
import { pulledUp } from './stimulus_state';
import { awaitingRecording, isRecording } from './recording_state';
import { change, draft, fieldErrors, interviewToken, markSeen, remark, seen, sending, submit, uploadsPath } from './session';

interface Props {
  bootstrap: Bootstrap;
  at: Step;
  /** Whether it moves in, because it replaces another step. */
  animated: boolean;
  /** Whether its answer is on the way, and shown as a turn instead. */
  hidden: boolean;
}

/** The form of the current step. */
export function QuestionForm({ bootstrap, at, animated, hidden }: Props) {
  const { words, tags } = bootstrap;
  const [moves] = useState(animated);
  const [filesSending, setFilesSending] = useState(0);
  const q = at.question;
  const followUp = at.kind === 'follow_up';
  const statement = at.kind === 'statement';
  const kind = widgetOf(at);
  const [askedAboutOrder, setAskedAboutOrder] = useState(false);
  const errorSummary = useRef<HTMLDivElement>(null);
  const errors = fieldErrors.value;
  useEffect(() => {
    if (errors.length > 0) errorSummary.current?.focus();
  }, [errors]);
  if (!q) return null;

  const hintText = followUp ? '' : hint(q, words);
  const describedBy = [errors.length > 0 && 'errors', hintText && 'hint'].filter(Boolean).join(' ') || undefined;
  const locked = filesSending > 0 || unwatched([...(followUp ? [] : q.media), ...(at.concept?.media ?? [])], seen.value).length > 0;
  const busy = sending.value !== 'no';
  const media = { words, seen: seen.value, onSeen: markSeen, lang: tags.page };
  const untouched = kind === 'ranking' && !draft.value.ranking;
  const go = () => {
    if (unwatched(at.concept?.media ?? [], seen.value).length > 0) pulledUp.value = true;
    if (locked) return;
    if (untouched && !askedAboutOrder) setAskedAboutOrder(true);
    else void submit();
  };
  const props: WidgetProps = {
    question: q, draft: draft.value, change, words, describedBy, submit: go,
    lang: { page: tags.page, content: tags.content }, wrong: errors.length > 0,
  };

  return (
    <main class={moves ? 'sheet arrives' : 'sheet'} hidden={hidden}>
      <p class="remark" role="status" hidden={!remark.value}>{remark.value && words[remark.value]}</p>
      <form noValidate onSubmit={(e) => { e.preventDefault(); go(); }}>
        {followUp && <p class="overline" lang={tags.content} dir="auto">{q.text}</p>}
        <h1 id={headingId} class={statement ? 'statement' : undefined} tabIndex={-1} lang={followUp ? tags.moderator : tags.content} dir="auto">
          {paragraphs(at.moderator).map((line, i) => <span key={i}>{line}</span>)}
        </h1>
        <Media media={q.media} {...media} />
        {!followUp && q.embed && <Embed address={q.embed.proxyUrl ?? q.embed.url} title={q.text} words={words} />}
        {q.screen && q.screen.count > 1 && <p class="note">{fill(words, 'screen', { n: q.screen.index + 1, total: q.screen.count })}</p>}
        {hintText && <p class="hint" id="hint">{hintText}</p>}
        {errors.length > 0 && (
          <div class="errors" role="alert" tabIndex={-1} id="errors" ref={errorSummary}>
            <h2>{words.errorsTitle}</h2>
            <ul>
              {errors.map((error) => (
                <li key={error.key}><a href={`#${error.field}`} onClick={(e) => focusField(e, error.field)}>{fill(words, error.key, { n: error.n ?? 0 })}</a></li>
              ))}
            </ul>
          </div>
        )}
        {kind === 'open_ended' && <OpenAnswer {...props} at={at} token={interviewToken()} />}
        {kind === 'multiple_choice' && <MultipleChoice {...props} />}
        {kind === 'ranking' && <Ranking {...props} />}
        {kind === 'matrix' && <Matrix {...props} />}
        {kind === 'max_diff' && <MaxDiff {...props} />}
        {kind === 'file_upload' && <FileUpload {...props} address={uploadsPath()} stepId={at.stepId ?? ''} onSending={setFilesSending} />}
        {untouched && askedAboutOrder && <p class="asks" role="alert">{words.rankAsk}</p>}
        <div class="go" hidden={awaitingRecording.value || isRecording.value}>
          <button type="submit" aria-disabled={locked || busy || undefined} aria-busy={busy} lang={statement && q.continueButtonText ? tags.content : undefined} dir="auto">
            {untouched && askedAboutOrder ? words.rankKeep : label(at, q, words)}
          </button>
          <span class="thinking" role="status">{sending.value === 'yes' && words.moment}</span>
        </div>
      </form>
    </main>
  );
}

function label(at: Step, q: Question, words: Words): string | undefined {
  if (at.kind === 'statement') return q.continueButtonText ?? words.continue;
  return words.next;
}

/** Focuses the field of an error without changing the page's address. */
function focusField(e: MouseEvent, field: string): void {
  e.preventDefault();
  document.getElementById(field)?.focus();
}
