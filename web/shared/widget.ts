import type { Draft } from './draft';
import type { Question } from './protocol';
import type { Words } from './words';

/** What every question widget is given. A widget keeps nothing of its own that would be missed after a reload. */
export interface WidgetProps {
  question: Question;
  draft: Draft;
  change(part: Draft): void;
  words: Words;
  lang: { page: string; content: string };
  /** Whether errors are shown for the step. */
  wrong: boolean;
  /** Ids of what belongs to the field's description. */
  describedBy: string | undefined;
  /** Sends the answer, for shortcuts of the keyboard. */
  submit(): void;
}

/** The id of the heading that names the fields. */
export const headingId = 'question';
