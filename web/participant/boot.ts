import type { Step } from '../shared/protocol';
import type { Words } from '../shared/words';

/** What the server puts into the page for the app; see boot.go of the participant's door. */
export interface Boot {
  view: 'front' | 'devices' | 'step' | 'end';
  linkId: string;
  /** The link's parameters that are kept, as they came. */
  query: string;
  token: string;
  title: string;
  /** The language of the interview, as the protocol names it. */
  language: string;
  /** BCP 47 tags: of the page, of the study's texts, of what the moderator writes. */
  tags: { page: string; content: string; moderator: string };
  direction: 'ltr' | 'rtl';
  words: Words;
  languages: { code: string; name: string; tag: string; current: boolean }[];
  front: Front | null;
  disclosure: string;
  step: Step | null;
  /** Of the front: the kinds of device that the study is for, empty for any; whether this Mac may be an iPad; the study's link. */
  device: { allowed: ('desktop' | 'android' | 'ios')[]; unsure: boolean; link: string } | null;
  organization: Organization | null;
}

export interface Organization {
  name: string;
  colour: string | null;
  logo: { url: string; width: number; height: number } | null;
}

export interface Front {
  title: string;
  welcomeMessage: { title: string | null; message: string | null };
  interviewMode: string;
}

const read = (): Boot | null => JSON.parse(document.getElementById('boot')?.textContent ?? 'null') as Boot | null;

/** Null on pages that have nothing for the app. */
export const boot = read();
