// The words of notes, highlights, tags and corrections. They are loaded with the pages that need them.
import { vocabulary } from '../words';
import english from './words.json';

export const { t, count } = vocabulary<keyof typeof english>(english);
