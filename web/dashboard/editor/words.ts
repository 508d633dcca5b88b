// The words of the editor, the launch and new studies.
import english from '../words/editor.en.json';
import { vocabulary } from '../words';

export type EditorKey = keyof typeof english;

export const { t: te, known: knownHere, count: counte } = vocabulary<EditorKey>(english);
