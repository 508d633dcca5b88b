import { useEffect, useRef, useState } from 'preact/hooks';
import type { Draft, Recording } from '../../shared/draft';
import type { Transcript } from '../../shared/protocol';
import { fetchTranscript } from './transcription';
import { segmentById } from './uploader';

interface Options {
  recordings: Recording[];
  /** The path where uploads are created. */
  address: string;
  draft: Draft;
  change(part: Draft): void;
}

/** Fetches the transcript of each recording once it has arrived, and fills the field with it unless the participant has changed the text. */
export function useTranscript({ recordings, address, draft, change }: Options) {
  const [transcripts, setTranscripts] = useState<Record<string, Transcript>>({});
  const latest = useRef(draft);
  latest.current = draft;
  const voices = recordings.map(({ tapes }) => segmentById(tapes.audio ?? tapes.video)).filter((voice) => voice !== undefined);
  const ids = voices.map((voice) => voice.stored.id).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the voices, and a transcript that arrives must not end the requests for the others
  useEffect(() => {
    const abort = new AbortController();
    const unsubscribes = voices.map((voice) => voice.state.subscribe((state) => {
      if (state !== 'sent' || transcripts[voice.stored.id]) return;
      void voice.uploadId.then((upload) => fetchTranscript(address, upload, abort.signal)).then((transcript) => {
        if (!abort.signal.aborted) setTranscripts((all) => ({ ...all, [voice.stored.id]: transcript }));
      });
    }));
    return () => {
      abort.abort();
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [ids]);

  const done = voices.every((voice) => transcripts[voice.stored.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is filled in once, when the last transcript has arrived
  useEffect(() => {
    if (!done) return;
    const text = voices.map((voice) => textOf(transcripts[voice.stored.id])).filter(Boolean).join('\n');
    const typed = latest.current.text ?? '';
    if (text && (typed === '' || typed === latest.current.heard)) change({ text, heard: text });
  }, [done, ids]);

  return {
    transcribing: !done && voices.some((voice) => voice.state.value !== 'refused') && (draft.text ?? '') === '',
    silent: done && voices.length > 0 && voices.every((voice) => transcripts[voice.stored.id]?.status === 'silent'),
    transcribedWords: voices.flatMap((voice) => transcripts[voice.stored.id]?.words ?? []),
  };
}

const textOf = (transcript: Transcript | undefined): string => (transcript?.status === 'heard' ? transcript.text.trim() : '');
