import { language } from '../words';
import { te } from './words';

/** The codes of languages that a guide may have: those of Language in openapi/v1.yaml. */
export const languages: readonly string[] = (
  'en en-medical fr de de-CH it pt es zh zh-TW zh-HK af sq am ar hy as ast az ba eu be bn bs br bg my ca ceb ny hr cs da nl et fo fi nl-BE ff gl lg ka el gu ht ' +
  'ha haw he hi hu is ig id ga ja jw kea kn kk km ko ku ky lo la lv ln lt luo lb mk mg ms ml mt mi mr mn ne nso no nn oc or pa ps fa pl ro ru ' +
  'sa sr sn sd si sk sl so su sw sv tl tg ta tt te th bo tr tk uk umb ur uz vi cy wo xh yi yo zu'
).split(' ');

const names = new Intl.DisplayNames([language], { type: 'language' });

/** Returns the name of a language by its code. */
export const languageName = (code: string): string => (code === 'en-medical' ? te('englishMedical') : (names.of(code) ?? code));
