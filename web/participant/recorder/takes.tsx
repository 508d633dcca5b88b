import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, formatDuration, mainField, type Take, totalSeconds } from '../../shared/draft';
import { headingId } from '../../shared/widget';
import { fill, type Words } from '../../shared/words';
import { Player } from './player';
import { fetchTranscript, type Word } from './transcription';
import { type Segment, segmentById } from './uploader';

interface Props {
  words: Words;
  draft: Draft;
  takes: Take[];
  address: string;
  describedBy: string | undefined;
  wrong: boolean;
  change(part: Draft): void;
  again(): void;
  more(): void;
  type(): void;
}

/** Error codes that recording again would meet, too. */
const quotaCodes = ['upload_quota_exceeded', 'insufficient_storage'];

/** The recorded takes, which can be played, replaced or added to, and the field with their transcript. */
export function Takes({ words, draft, takes, address, describedBy, wrong, change, again, more, type }: Props) {
  const all = takes.flatMap((take) => Object.values(take.tapes)).map(segmentById).filter((segment) => segment !== undefined);
  const refused = all.find((segment) => segment.state.value === 'refused');
  const { transcribing, silent, transcribedWords } = useTranscript({ takes, address, draft, change });
  const unchanged = draft.heard !== undefined && draft.text === draft.heard && draft.heard !== '';
  const hint = transcribing ? words.recWriting : unchanged ? words.recHeardHint : silent ? words.recSilent : words.recWordsHint;
  return (
    <div class="rec-card">
      <h2 tabIndex={-1} data-first>{fill(words, 'recRecorded', { text: formatDuration(totalSeconds(takes)) })}</h2>
      {refused && <p class="failed" role="alert">{words[quotaCodes.includes(refused.refusalCode) ? 'recQuota' : 'recFailed']}</p>}
      <div class="rec-players">{takes.map((take) => <TakePlayer key={Object.values(take.tapes)[0]} take={take} words={words} />)}</div>
      <div class="go rec-again">
        <button type="button" class="second" onClick={again}>{words.recAgain}</button>
        <button type="button" class="second" onClick={more}>{words.recMore}</button>
        <button type="button" class="link" onClick={type}>{words.recTypeOnly}</button>
      </div>
      <label class="rec-label" for={mainField} id="said">{words.recWords}</label>
      <p class={`note${transcribing ? ' rec-writing' : ''}`} id="said-hint" role="status">{hint}</p>
      <textarea
        id={mainField} rows={4} dir="auto" value={draft.text ?? ''}
        aria-labelledby={`${headingId} said`} aria-describedby={[describedBy, 'said-hint'].filter(Boolean).join(' ')} aria-invalid={wrong || undefined}
        onInput={(e) => change({ text: e.currentTarget.value })}
      />
      {unchanged && transcribedWords.some((word) => word.low) && (
        <div class="rec-unsure">
          <p class="note">{words.recUnsure}</p>
          <p dir="auto">
            {transcribedWords.map((word, i) => (
              <span key={i}>{word.low ? <mark>{word.text}<span class="unseen"> ({words.recUnsureWord})</span></mark> : word.text} </span>
            ))}
          </p>
        </div>
      )}
    </div>
  );
}

/** The players of one take, or its length where its bytes are no longer in this browser's memory. */
function TakePlayer({ take, words }: { take: Take; words: Words }) {
  const { audio, video, screenVideo } = take.tapes;
  const voice = segmentById(audio ?? video);
  const screen = segmentById(screenVideo);
  const playable = (segment: Segment | undefined): segment is Segment => segment !== undefined && segment.buffer.hasBytes;
  if (!playable(voice) && !playable(screen)) return <p class="note">{fill(words, 'recEarlier', { text: formatDuration(take.seconds) })}</p>;
  return (
    <>
      {playable(voice) && <Player segment={voice} label={words[audio ? 'recListen' : 'recWatch']} />}
      {playable(screen) && <Player segment={screen} label={words.recScreenWatch} />}
    </>
  );
}

/** Fetches the transcript of each take once it has arrived, and fills the field with it unless the participant has changed the text. */
function useTranscript({ takes, address, draft, change }: Pick<Props, 'takes' | 'address' | 'draft' | 'change'>) {
  const [transcripts, setTranscripts] = useState<Record<string, { text: string; words: Word[]; silent: boolean }>>({});
  const latest = useRef(draft);
  latest.current = draft;
  const voices = takes.map((take) => segmentById(take.tapes.audio ?? take.tapes.video)).filter((voice) => voice !== undefined);
  const ids = voices.map((voice) => voice.stored.id).join();

  useEffect(() => {
    const abort = new AbortController();
    const unsubscribes = voices.map((voice) => voice.state.subscribe((state) => {
      if (state !== 'sent' || transcripts[voice.stored.id]) return;
      void voice.uploadId.then((upload) => fetchTranscript(address, upload, abort.signal)).then((reply) => {
        if (abort.signal.aborted) return;
        setTranscripts((all) => ({
          ...all,
          [voice.stored.id]: { text: reply.status === 'heard' ? reply.text.trim() : '', words: reply.words ?? [], silent: reply.status === 'silent' },
        }));
      });
    }));
    return () => {
      abort.abort();
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [ids]);

  const done = voices.filter((voice) => transcripts[voice.stored.id]).length === voices.length;
  useEffect(() => {
    if (!done) return;
    const text = voices.map((voice) => transcripts[voice.stored.id]?.text ?? '').filter(Boolean).join('\n');
    const typed = latest.current.text ?? '';
    if (text && (typed === '' || typed === latest.current.heard)) change({ text, heard: text });
  }, [done, ids]);

  return {
    transcribing: !done && voices.some((voice) => voice.state.value !== 'refused') && (draft.text ?? '') === '',
    silent: done && voices.length > 0 && voices.every((voice) => transcripts[voice.stored.id]?.silent),
    transcribedWords: voices.flatMap((voice) => transcripts[voice.stored.id]?.words ?? []),
  };
}
