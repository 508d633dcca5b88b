// The dashboard's words. English is complete; other languages get a file beside it.
import { fill } from '../shared/words';
import english from './words/en.json';

type Values = Record<string, string | number>;

/** The language of the words and of the formats of numbers and dates. */
export const language = 'en';

const plurals = new Intl.PluralRules(language);

/** The beginning of keys that exist once for one and once for every other number. */
type Counted<Name extends string> = { [K in Name]: K extends `${infer Start}_other` ? Start : never }[Name];

/** Returns the functions that find words. Large pages have words of their own, which are loaded with them. */
export function vocabulary<Name extends string>(texts: Record<Name, string>) {
  const words: Readonly<Record<string, string>> = texts;
  return {
    t: (key: Name, values?: Values): string => fill(words, key, values),
    known: (key: string): string | null => (Object.hasOwn(words, key) ? (words[key] ?? null) : null),
    count: (name: Counted<Name>, n: number, values?: Values): string => {
      const form = `${name}_${plurals.select(n)}`;
      return fill(words, Object.hasOwn(words, form) ? form : `${name}_other`, { n: new Intl.NumberFormat(language).format(n), ...values });
    },
  };
}

export type Key = keyof typeof english;

const main = vocabulary<Key>(english);

/** Returns the words under a key with their {names} filled in. */
export const t = main.t;

/** Returns the words under a key, or null if there are none: for keys that are made of what the server sends. */
export const known = main.known;

/** Returns the keys that begin in a way. */
export const keysOf = (start: string): string[] => Object.keys(english).filter((key) => key.startsWith(start));

/** Returns the words for a number of things, with {n} filled in. */
export const count = main.count;
