import type { AnsweredStep, Consent, Invitation, Step } from '../shared/protocol';
import type { Words } from '../shared/words';

/** The data that the server puts into the page for the app, as JSON. Its Go side is internal/api/pages/bootstrap.go. */
export interface Bootstrap {
  /** `preview` is the page without data, in a frame of the dashboard. */
  view: 'front' | 'devices' | 'step' | 'end' | 'preview';
  linkId: string;
  /** The link's parameters that are stored with the response, as a query string. */
  query: string;
  token: string;
  title: string;
  /** The language of the interview, as the protocol names it. */
  language: string;
  /** BCP 47 tags for lang attributes: of the page, of the study's texts, and of what the moderator writes. */
  tags: { page: string; content: string; moderator: string };
  direction: 'ltr' | 'rtl';
  words: Words;
  languages: { code: string; name: string; tag: string; current: boolean }[];
  front: Invitation | null;
  disclosure: string;
  step: Step | null;
  /** The step answered last, with the answer that stands. */
  answered: AnsweredStep | null;
  /** Whether an answer of this interview is taken now. */
  accepting: boolean;
  /** What the participant of this interview has to agree to again before it goes on; null for nothing. */
  consent: Consent | null;
  /** Why nobody can begin an interview now; null where one can be begun. back is the panel's address, or empty. */
  closed: { title: string; text: string; back: string } | null;
  /** What was written in a form whose step was answered elsewhere. */
  unsent: string;
  /** On the landing page: the kinds of device that the study is for, empty for any; whether this Mac may be an iPad; the study's link. */
  device: { allowed: Invitation['platforms']; unsure: boolean; link: string } | null;
  organization: Invitation['organization'] | null;
  /** How hands-free interviews are held; null where they are not offered. */
  voice: { pauseSeconds: number; liveWords: boolean } | null;
}

const read = (): Bootstrap | null => JSON.parse(document.getElementById('boot')?.textContent ?? 'null') as Bootstrap | null;

/** Null on pages that do not use the app. */
export const bootstrap = read();
