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

const requests = new Map<string, Request>();

/** Keeps a request until its answer is there, so that it can be sent again. */
export function keepRequest(id: string, request: Request): void {
  requests.set(id, request);
}

/** Returns a request that was kept, once. */
export function takeRequest(id: string): Request | undefined {
  const kept = requests.get(id);
  requests.delete(id);
  return kept;
}
