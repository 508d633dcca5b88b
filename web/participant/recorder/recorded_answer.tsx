import { type Draft, formatDuration, mainField, type Recording, segmentIds, totalSeconds } from '../../shared/draft';
import { headingId } from '../../shared/widget';
import { fill, type Words } from '../../shared/words';
import { Player } from './player';
import type { Segment } from './segment';
import { segmentById } from './uploader';
import { useTranscript } from './use_transcript';

interface Props {
  words: Words;
  draft: Draft;
  recordings: Recording[];
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

/** What was recorded, which can be played, replaced or added to, and the field with their transcript. */
export function RecordedAnswer({ words, draft, recordings, address, describedBy, wrong, change, again, more, type }: Props) {
  const all = segmentIds(recordings).map(segmentById).filter((segment) => segment !== undefined);
  const refused = all.find((segment) => segment.state.value === 'refused');
  const { transcribing, silent, transcribedWords } = useTranscript({ recordings, address, draft, change });
  const unchanged = draft.heard !== undefined && draft.text === draft.heard && draft.heard !== '';
  const hint = transcribing ? words.recWriting : unchanged ? words.recHeardHint : silent ? words.recSilent : words.recWordsHint;
  return (
    <div class="rec-card">
      <h2 tabIndex={-1} data-first>{fill(words, 'recRecorded', { text: formatDuration(totalSeconds(recordings)) })}</h2>
      {refused && <p class="failed" role="alert">{words[quotaCodes.includes(refused.refusalCode) ? 'recQuota' : 'recFailed']}</p>}
      <div class="rec-players">{recordings.map((recording) => <Players key={Object.values(recording.tapes)[0]} recording={recording} words={words} />)}</div>
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

/** The players of one recording, or its length where its bytes are no longer in this browser's memory. */
function Players({ recording, words }: { recording: Recording; words: Words }) {
  const { audio, video, screenVideo } = recording.tapes;
  const voice = segmentById(audio ?? video);
  const screen = segmentById(screenVideo);
  const playable = (segment: Segment | undefined): segment is Segment => segment?.buffer.hasBytes === true;
  if (!playable(voice) && !playable(screen)) return <p class="note">{fill(words, 'recEarlier', { text: formatDuration(recording.seconds) })}</p>;
  return (
    <>
      {playable(voice) && <Player segment={voice} label={words[audio ? 'recListen' : 'recWatch']} />}
      {playable(screen) && <Player segment={screen} label={words.recScreenWatch} />}
    </>
  );
}
