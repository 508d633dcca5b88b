// The words of the analysis page. They are loaded with it.
import { vocabulary } from '../words';
import english from './words.json';

export type AnalysisKey = keyof typeof english;

export const { t, known, count } = vocabulary<AnalysisKey>(english);
