import { te } from './words';

/** Returns what is wrong in our words where they are clearer than the server's. */
export function problemText({ message, pointer }: { message: string; pointer: string | null }): string {
  if (/at least 1 character/.test(message)) return te(/\/(?:options|rows)\//.test(pointer ?? '') ? 'problemEmptyOption' : 'problemEmpty');
  return message;
}
