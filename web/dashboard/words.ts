// The dashboard's words. English is complete; other languages get a file beside it.
import { fill } from '../shared/words';
import english from './words/en.json';

export type Key = keyof typeof english;
type Values = Record<string, string | number>;

/** The language of the words and of the formats of numbers and dates. */
export const language = 'en';

const plurals = new Intl.PluralRules(language);

/** Returns the words under a key with their {names} filled in. */
export const t = (key: Key, values?: Values): string => fill(english, key, values);

/** Returns the words under a key, or null if there are none: for keys that are made of what the server sends. */
export const known = (key: string): string | null => (Object.hasOwn(english, key) ? english[key as Key] : null);

/** The beginning of keys that exist once for one and once for every other number. */
type Counted = { [K in Key]: K extends `${infer Name}_other` ? Name : never }[Key];

/** Returns the words for a number of things, with {n} filled in. */
export function count(name: Counted, n: number, values?: Values): string {
  const form = `${name}_${plurals.select(n)}` as Key;
  return t(Object.hasOwn(english, form) ? form : `${name}_other`, { n: new Intl.NumberFormat(language).format(n), ...values });
}
