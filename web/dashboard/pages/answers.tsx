import { type ReadonlySignal, useComputed } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { Mark } from '../evidence';
import { duration } from '../format';
import { Icon } from '../parts/icon';
import type { Playback } from '../playback';
import { Corrected, CorrectionForm } from '../review/correction';
import { type Selected, trimmed } from '../review/selection';
import { t as review } from '../review/words';
import { type Row, segmentOf, type Timeline } from '../timeline';
import { wordAt, type Word } from '../transcript';
import { type Key, known, t } from '../words';
import { type Highlighted, Passage } from './passage';

interface Props {
  rows: readonly Row[];
  timeline: Timeline;
  playback: Playback;
  /** The evidence that is shown now. */
  shown: Mark | null;
  marks: readonly Mark[];
  onMark: (mark: Mark) => void;
  highlights: readonly (Highlighted & { row: number })[];
  onAnnotate: (words: Selected) => void;
  /** What a correction of the transcript needs. */
  correcting: { link: string; number: number; mayChange: boolean; onChanged: () => Promise<unknown> };
}

/** The conversation, row by row. */
export function Answers({ rows, marks, shown, highlights, ...others }: Props) {
  return (
    <ol class="answers">
      {rows.map((row) => (
        <Answer key={row.index} row={row} shown={shown?.row === row.index ? shown : null} marks={marks.filter((mark) => mark.row === row.index)} highlights={highlights} {...others} />
      ))}
    </ol>
  );
}

interface AnswerProps extends Omit<Props, 'rows'> {
  row: Row;
}

const none: readonly Word[] = [];

function Answer({ row, timeline, playback, shown, marks, onMark, highlights, onAnnotate, correcting }: AnswerProps) {
  const [editing, setEditing] = useState(false);
  const own = useMemo(() => highlights.filter((each) => each.row === row.index), [highlights, row.index]);
  const index = segmentOf(timeline, row.index);
  const segment = timeline.segments[index];
  const transcript = row.recordings.find((r) => r.transcript)?.transcript ?? null;
  const words = transcript?.words ?? none;
  const answerWords = transcript?.isAnswer ? words : (transcript?.answerWords ?? none);
  const start = segment?.start ?? 0;
  const spoken = useComputed(() => (index >= 0 && playback.segment.value === index ? wordAt(words, playback.time.value - start) : -1));
  const spokenInAnswer = useComputed(() => (index >= 0 && playback.segment.value === index ? wordAt(answerWords, playback.time.value - start) : -1));
  const playing = useComputed(() => index >= 0 && playback.segment.value === index && playback.playing.value);
  const evidence = useMemo(() => (shown ? { from: shown.from, to: shown.to } : null), [shown]);
  const seek = (seconds: number) => void playback.playRow(row.index, seconds);
  return (
    <li id={`row-${row.index}`} class={row.followUp ? 'follow-up' : undefined}>
      <div class="asked">
        <p dir="auto">{row.followUp && <span class="badge plain">{t('followUp')}</span>}{row.question}</p>
        {segment && <PlayRow playing={playing} at={duration(segment.start)} onPress={() => (playing.peek() ? playback.pause() : void playback.playRow(row.index))} question={row.question} />}
      </div>
      {row.answer === '' ? !transcript && !row.statement && <p class="soft">{t('noAnswer')}</p> : (
        <>
          {editing ? <CorrectionForm row={row} onClose={() => setEditing(false)} {...correcting} />
            : <Passage text={row.answer} words={answerWords} evidence={evidence} spoken={spokenInAnswer} onSeek={seek} answer={row.index} highlights={own} />}
          <Corrected row={row} {...correcting} />
          {!row.statement && !editing && (
            <p class="row on-answer">
              <button type="button" class="quiet small" aria-label={review('annotateAnswer', { question: row.question })} onClick={() => { const all = trimmed(row.answer, 0, row.answer.length); if (all) onAnnotate({ row: row.index, ...all }); }}><Icon name="pen" />{review('note')}</button>
              {row.spoken && correcting.mayChange && <button type="button" class="quiet small" aria-label={review('correctOf', { question: row.question })} onClick={() => setEditing(true)}>{review('correct')}</button>}
            </p>
          )}
        </>
      )}
      {transcript && !transcript.isAnswer && (
        <div class="also-heard"><p class="soft small">{t('heard')}</p><Passage text={transcript.text} words={words} evidence={null} spoken={spoken} onSeek={seek} /></div>
      )}
      {row.recordings.filter((r) => r.state !== 'ready').map((r) => (
        <p key={r.kind} class="soft small">{t(`kind_${r.kind}` satisfies Key)}: {r.state === 'waiting' ? t('recordingWaiting') : `${t('recordingFailed')} ${known(`failure_${r.failure}`) ?? r.failure}`}</p>
      ))}
      {marks.length > 0 && <p class="cited soft small">{t('citedAs')} {marks.map((mark) => <MarkButton key={mark.n} mark={mark} shown={shown?.n === mark.n} onPress={() => onMark(mark)} />)}</p>}
    </li>
  );
}

interface PlayRowProps {
  playing: ReadonlySignal<boolean>;
  at: string;
  question: string;
  onPress: () => void;
}

function PlayRow({ playing, at, question, onPress }: PlayRowProps) {
  return (
    <button type="button" class="play-row" aria-pressed={playing.value} onClick={onPress}>
      <Icon name={playing.value ? 'pause' : 'play'} /><span class="number">{at}</span><span class="unseen"> {t('playAnswer', { question })}</span>
    </button>
  );
}

/** The number of evidence. */
export function MarkButton({ mark, shown, onPress }: { mark: Mark; shown: boolean; onPress: () => void }) {
  return <button type="button" class="mark" aria-pressed={shown} aria-label={t('evidenceN', { n: mark.n })} onClick={onPress}>{mark.n}</button>;
}
