/** From this many options on, a choice has a search box. */
export const searchFrom = 20;

const normal = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Reports whether a text has every word that is searched for, whatever its case and accents. */
export function matches(text: string, search: string): boolean {
  const inside = normal(text);
  return normal(search).split(/\s+/).every((word) => inside.includes(word));
}
