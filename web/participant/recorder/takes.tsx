import { useEffect, useRef, useState } from 'preact/hooks';
import { clock, type Draft, lasting, mainField, type Take } from '../../shared/draft';
import { headingId } from '../../shared/widget';
import { fill, type Words } from '../../shared/words';
import { type Tape, tape } from './courier';
import { transcript, type Word } from './heard';
import { Player } from './player';

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

/** Refusals that recording again would meet, too. */
const noRoom = ['upload_quota_exceeded', 'insufficient_storage'];

/** What was recorded, to be heard again, replaced or led on, and the field for what was said. */
export function Takes({ words, draft, takes, address, describedBy, wrong, change, again, more, type }: Props) {
  const all = takes.flatMap((take) => Object.values(take.tapes)).map(tape).filter((one) => one !== undefined);
  const refused = all.find((one) => one.state.value === 'refused');
  const { writing, silent, unsure } = useTranscript({ takes, address, draft, change });
  const unchanged = draft.heard !== undefined && draft.text === draft.heard && draft.heard !== '';
  const hint = writing ? words.recWriting : unchanged ? words.recHeardHint : silent ? words.recSilent : words.recWordsHint;
  return (
    <div class="rec-card">
      <h2 tabIndex={-1} data-first>{fill(words, 'recRecorded', { text: clock(lasting(takes)) })}</h2>
      {refused && <p class="failed" role="alert">{words[noRoom.includes(refused.code) ? 'recQuota' : 'recFailed']}</p>}
      <div class="rec-players">{takes.map((take) => <Played key={Object.values(take.tapes)[0]} take={take} words={words} />)}</div>
      <div class="go rec-again">
        <button type="button" class="second" onClick={again}>{words.recAgain}</button>
        <button type="button" class="second" onClick={more}>{words.recMore}</button>
        <button type="button" class="link" onClick={type}>{words.recTypeOnly}</button>
      </div>
      <label class="rec-label" for={mainField} id="said">{words.recWords}</label>
      <p class={`note${writing ? ' rec-writing' : ''}`} id="said-hint" role="status">{hint}</p>
      <textarea
        id={mainField} rows={4} dir="auto" value={draft.text ?? ''}
        aria-labelledby={`${headingId} said`} aria-describedby={[describedBy, 'said-hint'].filter(Boolean).join(' ')} aria-invalid={wrong || undefined}
        onInput={(e) => change({ text: e.currentTarget.value })}
      />
      {unchanged && unsure.some((word) => word.low) && (
        <div class="rec-unsure">
          <p class="note">{words.recUnsure}</p>
          <p dir="auto">
            {unsure.map((word, i) => (
              <span key={i}>{word.low ? <mark>{word.text}<span class="unseen"> ({words.recUnsureWord})</span></mark> : word.text} </span>
            ))}
          </p>
        </div>
      )}
    </div>
  );
}

function Played({ take, words }: { take: Take; words: Words }) {
  const { audio, video, screenVideo } = take.tapes;
  const voice = tape(audio ?? video);
  const screen = tape(screenVideo);
  const here = (one: Tape | undefined): one is Tape => one !== undefined && one.reel.here;
  if (!here(voice) && !here(screen)) return <p class="note">{fill(words, 'recEarlier', { text: clock(take.seconds) })}</p>;
  return (
    <>
      {here(voice) && <Player tape={voice} label={words[audio ? 'recListen' : 'recWatch']} />}
      {here(screen) && <Player tape={screen} label={words.recScreenWatch} />}
    </>
  );
}

/** Asks for the words of each take once it has arrived, and puts them into the field, as long as nobody has written into it. */
function useTranscript({ takes, address, draft, change }: Pick<Props, 'takes' | 'address' | 'draft' | 'change'>) {
  const [found, setFound] = useState<Record<string, { text: string; words: Word[]; silent: boolean }>>({});
  const now = useRef(draft);
  now.current = draft;
  const voices = takes.map((take) => tape(take.tapes.audio ?? take.tapes.video)).filter((one) => one !== undefined);
  const ids = voices.map((one) => one.row.id).join();

  useEffect(() => {
    const stop = new AbortController();
    const ends = voices.map((one) => one.state.subscribe((state) => {
      if (state !== 'sent' || found[one.row.id]) return;
      void one.named.then((upload) => transcript(address, upload, stop.signal)).then((reply) => {
        if (stop.signal.aborted) return;
        setFound((all) => ({
          ...all,
          [one.row.id]: { text: reply.status === 'heard' ? reply.text.trim() : '', words: reply.words ?? [], silent: reply.status === 'silent' },
        }));
      });
    }));
    return () => {
      stop.abort();
      for (const end of ends) end();
    };
  }, [ids]);

  const done = voices.filter((one) => found[one.row.id]).length === voices.length;
  useEffect(() => {
    if (!done) return;
    const text = voices.map((one) => found[one.row.id]?.text ?? '').filter(Boolean).join('\n');
    const typed = now.current.text ?? '';
    if (text && (typed === '' || typed === now.current.heard)) change({ text, heard: text });
  }, [done, ids]);

  return {
    writing: !done && voices.some((one) => one.state.value !== 'refused') && (draft.text ?? '') === '',
    silent: done && voices.length > 0 && voices.every((one) => found[one.row.id]?.silent),
    unsure: voices.flatMap((one) => found[one.row.id]?.words ?? []),
  };
}
