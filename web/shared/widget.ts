import type { Draft } from './draft';
import type { Question } from './protocol';
import type { Words } from './words';

/** The properties of every question widget. A widget has no state of its own that would be missed after a reload. */
export interface WidgetProps {
  question: Question;
  draft: Draft;
  change(part: Draft): void;
  words: Words;
  lang: { page: string; content: string };
  /** Whether errors are shown for the step. */
  wrong: boolean;
  /** The ids for the field's aria-describedby. */
  describedBy: string | undefined;
  /** Sends the answer, for keyboard shortcuts. */
  submit(): void;
}

/** The id of the heading that labels the fields. */
export const headingId = 'question';
