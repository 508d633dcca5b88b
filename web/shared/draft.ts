// A draft is what a participant has put into a step's fields. It is kept until the server has the answer made from it.
import type { Answer, Question, Step } from './protocol';
import { widgetOf } from './protocol';
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
  files?: Sent[];
  /** How an open answer is given, once that was chosen. */
  way?: 'voice' | 'text';
  /** What was recorded, one entry a session of the recorder. */
  takes?: Take[];
  /** What was put into text for the participant, who may have changed it since. */
  heard?: string;
}

export type TapeKind = 'audio' | 'video' | 'screenVideo';

/** One session of the recorder. */
export interface Take {
  seconds: number;
  /** The ids of what was recorded, as the recorder keeps it. */
  tapes: Partial<Record<TapeKind, string>>;
}

/** A file that the server has. */
export interface Sent {
  id: string;
  name: string;
}

/** Something wrong with a draft: the phrase that says it, the number in it, and the id of the field to go to. */
export interface Fault {
  key: string;
  n?: number;
  field: string;
}

/** The field that a step's errors lead to when nothing more exact is known. */
export const mainField = 'answer';

/** The order of a ranking so far: the participant's, or the one that the options come in. */
export const orderOf = (question: Question, draft: Draft): string[] => draft.ranking ?? (question.options ?? []).map((o) => o.id);

/** What would be refused by the server, as far as the page can tell. */
export function check(step: Step, draft: Draft): Fault[] {
  const q = step.question;
  const fault = (key: string, n?: number, field = mainField): Fault[] => [{ key, field, ...(n === undefined ? {} : { n }) }];
  switch (q && widgetOf(step)) {
    case 'open_ended':
      return draft.text?.trim() || draft.takes?.length ? [] : fault(step.capture ? 'errRecord' : 'errText');
    case 'multiple_choice': {
      const count = (draft.selected?.length ?? 0) + (draft.customOn ? 1 : 0);
      if (draft.customOn && !draft.custom?.trim()) return fault('errCustom', undefined, 'custom-text');
      if (count === 0) return fault('errOne');
      const alone = q?.options?.some((o) => o.exclusive && draft.selected?.includes(o.id));
      if (!q?.multiSelect || alone) return [];
      if (q.minSelect && count < q.minSelect) return fault('errAtLeast', q.minSelect);
      if (q.maxSelect && count > q.maxSelect) return fault('errAtMost', q.maxSelect);
      return [];
    }
    case 'matrix': {
      const open = q?.rows?.findIndex((row) => !draft.cells?.[row.id]) ?? -1;
      return open < 0 ? [] : fault('errRows', undefined, open === 0 ? mainField : `row-${open}-0`);
    }
    case 'max_diff':
      if (!draft.best || !draft.worst) return fault('errBestWorst', undefined, draft.best ? 'worst-0' : mainField);
      return draft.best === draft.worst ? fault('errDifferent') : [];
    case 'file_upload':
      return draft.files?.length ? [] : fault('errUpload');
  }
  return [];
}

/** The answer that a draft stands for. */
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

/** A draft in words, one line a part, as it is shown above the questions that follow. */
export function said(step: Step, draft: Draft, words: Words): string[] {
  const q = step.question;
  const name = (id: string | undefined) => q?.options?.find((o) => o.id === id)?.text ?? '';
  switch (q && widgetOf(step)) {
    case 'open_ended':
      return draft.takes?.length && !draft.text?.trim() ? [fill(words, 'recSaid', { text: clock(lasting(draft.takes)) })] : (draft.text ?? '').split('\n');
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

/** The language of each line of said: of the participant's own words that of the interview, otherwise that of the options. */
export function saidIn(step: Step, draft: Draft, tags: { page: string; content: string; moderator: string }): string[] {
  const lines = said(step, draft, {});
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

/** How long takes are together, in seconds. */
export const lasting = (takes: Take[]): number => takes.reduce((sum, take) => sum + take.seconds, 0);

/** Seconds as minutes and seconds. */
export const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`;
