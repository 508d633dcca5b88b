import { useEffect, useRef, useState } from 'preact/hooks';
import { Embed } from '../shared/embed';
import { FileUpload } from '../shared/file_upload';
import { hint } from '../shared/hint';
import { Matrix } from '../shared/matrix';
import { MaxDiff } from '../shared/max_diff';
import { Media, unseen } from '../shared/media';
import { MultipleChoice } from '../shared/multiple_choice';
import type { Question, Step } from '../shared/protocol';
import { widgetOf } from '../shared/protocol';
import { Ranking } from '../shared/ranking';
import { headingId, type WidgetProps } from '../shared/widget';
import { fill, paragraphs, type Words } from '../shared/words';
import type { Boot } from './boot';
import { awaited, running } from './recordings';
import { change, draft, faults, key, remark, seen, sending, submit, uploads, watched } from './session';
import { Spoken } from './spoken';

/** The question that waits for its answer. One that arrives comes with a small movement. */
export function Sheet({ boot, at, arrives }: { boot: Boot; at: Step; arrives: boolean }) {
  const { words, tags } = boot;
  const [moves] = useState(arrives);
  const [onWay, setOnWay] = useState(0);
  const q = at.question;
  const followUp = at.kind === 'follow_up';
  const statement = at.kind === 'statement';
  const kind = widgetOf(at);
  const errors = useRef<HTMLDivElement>(null);
  const wrong = faults.value;
  useEffect(() => {
    if (wrong.length > 0) errors.current?.focus();
  }, [wrong]);
  if (!q) return null;

  const advice = followUp ? '' : hint(q, words);
  const describedBy = [wrong.length > 0 && 'errors', advice && 'hint'].filter(Boolean).join(' ') || undefined;
  const shown = followUp ? [] : q.media;
  const locked = onWay > 0 || unseen([...shown, ...(at.concept?.media ?? [])], seen.value).length > 0;
  const busy = sending.value !== 'no';
  const media = { words, seen: seen.value, onSeen: watched };
  const go = () => { if (!locked) void submit(); };
  const props: WidgetProps = {
    question: q, draft: draft.value, change, words, describedBy, submit: go,
    lang: { page: tags.page, content: tags.content }, wrong: wrong.length > 0,
  };

  return (
    <main class={moves ? 'sheet arrives' : 'sheet'}>
      <p class="remark" role="status" hidden={!remark.value}>{remark.value && words[remark.value]}</p>
      {at.concept && (
        <section class="concept" lang={tags.content} dir="auto">
          {at.concept.title && <h2>{at.concept.title}</h2>}
          {paragraphs(at.concept.description).map((line, i) => <p key={i}>{line}</p>)}
          <Media media={at.concept.media} {...media} />
          {at.concept.embedUrl && <Embed address={at.concept.embedUrl} words={words} />}
        </section>
      )}
      <form noValidate onSubmit={(e) => { e.preventDefault(); go(); }}>
        {followUp && <p class="overline" lang={tags.content} dir="auto">{q.text}</p>}
        <h1 id={headingId} class={statement ? 'statement' : undefined} tabIndex={-1} lang={followUp ? tags.moderator : tags.content} dir="auto">
          {paragraphs(at.moderator).map((line, i) => <span key={i}>{line}</span>)}
        </h1>
        <Media media={shown} {...media} />
        {!followUp && q.embed && <Embed address={q.embed.proxyUrl ?? q.embed.url} words={words} />}
        {kind === 'max_diff' && <Screen q={q} words={words} lang={tags.content} />}
        {advice && <p class="hint" id="hint">{advice}</p>}
        {wrong.length > 0 && (
          <div class="errors" role="alert" tabIndex={-1} id="errors" ref={errors}>
            <h2>{words.errorsTitle}</h2>
            <ul>
              {wrong.map((f) => (
                <li key={f.key}><a href={`#${f.field}`} onClick={(e) => lead(e, f.field)}>{fill(words, f.key, { n: f.n ?? 0 })}</a></li>
              ))}
            </ul>
          </div>
        )}
        {kind === 'open_ended' && <Spoken {...props} at={at} token={key()} />}
        {kind === 'multiple_choice' && <MultipleChoice {...props} />}
        {kind === 'ranking' && <Ranking {...props} />}
        {kind === 'matrix' && <Matrix {...props} />}
        {kind === 'max_diff' && <MaxDiff {...props} />}
        {kind === 'file_upload' && <FileUpload {...props} address={uploads()} stepId={at.stepId ?? ''} onWay={setOnWay} />}
        <div class="go" hidden={awaited.value || running.value}>
          <button aria-disabled={locked || busy || undefined} aria-busy={busy} lang={statement && q.continueButtonText ? tags.content : undefined} dir="auto">
            {label(at, q, words)}
          </button>
          <span class="thinking" role="status">{sending.value === 'yes' && words.moment}</span>
        </div>
      </form>
    </main>
  );
}

function label(at: Step, q: Question, words: Words): string | undefined {
  if (at.kind === 'statement') return q.continueButtonText ?? words.continue;
  return widgetOf(at) === 'ranking' && !draft.value.ranking ? words.rankKeep : words.next;
}

/** Leads from an error to its field without leaving a trace in the address. */
function lead(e: MouseEvent, field: string): void {
  e.preventDefault();
  document.getElementById(field)?.focus();
}

/** What a MaxDiff is judged by, and which of its screens this is. */
function Screen({ q, words, lang }: { q: Question; words: Words; lang: string }) {
  return (
    <>
      {q.metric && <p class="metric" lang={lang} dir="auto">{q.metric}</p>}
      {q.screen && q.screen.count > 1 && <p class="note">{fill(words, 'screen', { n: q.screen.index + 1, total: q.screen.count })}</p>}
    </>
  );
}
