// A draft is what a participant has entered in a step's fields. The browser stores it until the server has the answer made from it; its keys
// stay as they are, so that a newer page can read what an older one stored.
import type { Answer, Question, RecordingKind, Step } from './protocol';
import { lettersLeft } from './letters';
import { widgetOf } from './protocol';
import { limits } from './rules';
import type { Words } from './words';
import { fill } from './words';

export interface Draft {
  text?: string;
  selected?: string[];
  custom?: string;
  customOn?: boolean;
  ranking?: string[];
  cells?: Record<string, string>;
  best?: string;
  worst?: string;
  files?: UploadedFile[];
  /** Whether an open answer is spoken or typed, once the participant chose. */
  way?: 'voice' | 'text';
  /** What was recorded, in order. */
  takes?: Recording[];
  /** The transcript that was filled into text, which the participant may have changed since. */
  heard?: string;
}

/** One run of the recorder, from start to stop. It has one segment for each kind that was recorded. */
export interface Recording {
  seconds: number;
  /** The ids of the segments in the browser's store. */
  tapes: Partial<Record<RecordingKind, string>>;
}

/** A file that has arrived at the server. */
export interface UploadedFile {
  id: string;
  name: string;
}

/** An error in a draft: the key of its message, the number in that message, and the id of the field to correct. */
export interface FieldError {
  key: string;
  n?: number;
  field: string;
}

/** The id of the field that errors lead to when no other is known. */
export const mainField = 'answer';

/** Returns the order of a ranking so far: the participant's, or else that of the options. */
export const orderOf = (question: Question, draft: Draft): string[] => draft.ranking ?? (question.options ?? []).map((o) => o.id);

/** Returns the errors that the server would refuse the draft for, as far as the page can know them. */
export function validate(step: Step, draft: Draft): FieldError[] {
  const q = step.question;
  const error = (key: string, n?: number, field = mainField): FieldError[] => [{ key, field, ...(n === undefined ? {} : { n }) }];
  switch (q && widgetOf(step)) {
    case 'open_ended':
      if (lettersLeft(draft.text ?? '') < 0) return error('errLong', limits.textCharacters);
      return draft.text?.trim() || draft.takes?.length ? [] : error(step.capture ? 'errRecord' : 'errText');
    case 'multiple_choice': {
      const count = (draft.selected?.length ?? 0) + (draft.customOn ? 1 : 0);
      if (draft.customOn && !draft.custom?.trim()) return error('errCustom', undefined, 'custom-text');
      if (count === 0) return error('errOne');
      const exclusive = q?.options?.some((o) => o.exclusive && draft.selected?.includes(o.id));
      if (!q?.multiSelect || exclusive) return [];
      if (q.minSelect && count < q.minSelect) return error('errAtLeast', q.minSelect);
      if (q.maxSelect && count > q.maxSelect) return error('errAtMost', q.maxSelect);
      return [];
    }
    case 'matrix': {
      const open = q?.rows?.findIndex((row) => !draft.cells?.[row.id]) ?? -1;
      return open < 0 ? [] : error('errRows', undefined, open === 0 ? mainField : `row-${open}-0`);
    }
    case 'max_diff':
      if (!draft.best || !draft.worst) return error('errBestWorst', undefined, draft.best ? 'worst-0' : mainField);
      return draft.best === draft.worst ? error('errDifferent') : [];
    case 'file_upload':
      return draft.files?.length ? [] : error('errUpload');
  }
  return [];
}

/** Makes the answer out of a draft. */
export function answerOf(step: Step, draft: Draft): Answer {
  const q = step.question;
  switch (q && widgetOf(step)) {
    case 'open_ended':
      return { text: draft.text ?? '' };
    case 'multiple_choice':
      return { selected: draft.selected ?? [], ...(draft.customOn ? { customText: draft.custom ?? '' } : {}) };
    case 'ranking':
      return { ranking: q ? orderOf(q, draft) : [] };
    case 'matrix':
      return { cells: draft.cells ?? {} };
    case 'max_diff':
      return { best: draft.best ?? '', worst: draft.worst ?? '' };
    case 'file_upload':
      return { uploads: (draft.files ?? []).map((f) => f.id) };
  }
  return {};
}

/** Returns a draft as lines of text, one for each part, as they are shown above the questions that follow. */
export function answerLines(step: Step, draft: Draft, words: Words): string[] {
  const q = step.question;
  const name = (id: string | undefined) => q?.options?.find((o) => o.id === id)?.text ?? '';
  switch (q && widgetOf(step)) {
    case 'open_ended':
      return draft.takes?.length && !draft.text?.trim() ? [fill(words, 'recSaid', { text: formatDuration(totalSeconds(draft.takes)) })] : (draft.text ?? '').split('\n');
    case 'multiple_choice':
      return [...(draft.selected ?? []).map(name), ...(draft.customOn ? [draft.custom ?? ''] : [])];
    case 'ranking':
      return q ? orderOf(q, draft).map((id, i) => `${i + 1}. ${name(id)}`) : [];
    case 'matrix':
      return (q?.rows ?? []).map((row) => `${row.text}: ${q?.columns?.find((c) => c.id === draft.cells?.[row.id])?.text ?? ''}`);
    case 'max_diff':
      return [`${fill(words, 'most')}: ${name(draft.best)}`, `${fill(words, 'least')}: ${name(draft.worst)}`];
    case 'file_upload':
      return (draft.files ?? []).map((f) => f.name);
  }
  return [];
}

/**
 * Returns the BCP 47 tag of each line of answerLines: the moderator's language for the participant's own words, and the content's for options.
 */
export function answerLanguages(step: Step, draft: Draft, tags: { page: string; content: string; moderator: string }): string[] {
  const lines = answerLines(step, draft, {});
  switch (widgetOf(step)) {
    case 'open_ended':
      return lines.map(() => (draft.text?.trim() ? tags.moderator : tags.page));
    case 'multiple_choice':
      return lines.map((_, i) => (i < (draft.selected?.length ?? 0) ? tags.content : tags.moderator));
    case 'file_upload':
      return [];
  }
  return lines.map(() => tags.content);
}

/** Returns the total length of recordings, in seconds. */
export const totalSeconds = (recordings: Recording[]): number => recordings.reduce((sum, { seconds }) => sum + seconds, 0);

/** Returns the ids of the segments of recordings. */
export const segmentIds = (recordings: Recording[]): string[] => recordings.flatMap((recording) => Object.values(recording.tapes));

/** Formats seconds as minutes and seconds, such as 1:05. */
export const formatDuration = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`;
