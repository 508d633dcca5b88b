// The dialog that asks who somebody is, before what is dangerous. It stands alone because requests ask for it, and the page shows it.
import { signal } from '@preact/signals';

interface Question {
  done: (confirmed: boolean) => void;
}

/** The question that is asked now; null: none. */
export const question = signal<Question | null>(null);

let asked: Promise<boolean> | null = null;

/** Asks the person to confirm who they are, and returns whether they did. Requests that ask at the same time get one answer. */
export function confirmPerson(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    question.value = {
      done: (confirmed) => {
        question.value = null;
        asked = null;
        resolve(confirmed);
      },
    };
  });
  return asked;
}
