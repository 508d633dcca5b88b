// From the place of a problem in the JSON to the card and field that it is about.
import type { Guide } from './guide';

export interface Target {
  /** The id of the item, concept or block; "" for the settings of the study. */
  id: string;
  /** The rest of the place, for example options[2].text. */
  field: string;
}

const step = /^(?:\.?([^.[\]]+)|\[(\d+)\])/;

// follow reads a place step by step, and returns the last value that has an id, and what is left of the place there.
function follow(guide: Guide, place: string): Target {
  let [value, rest, target]: [unknown, string, Target] = [guide, place, { id: '', field: place }];
  let card = 'studyGuide';
  while (rest !== '') {
    const found = step.exec(rest);
    if (!found) break;
    rest = rest.slice(found[0].length);
    const name = found[1];
    value = name !== undefined ? (value as Record<string, unknown> | null | undefined)?.[name] : (value as unknown[] | null | undefined)?.[Number(found[2])];
    if (name !== undefined) card = name;
    else if (['studyGuide', 'items', 'concepts'].includes(card)) target = { id: (value as { externalId?: string } | undefined)?.externalId ?? '', field: rest.replace(/^\./, '') };
  }
  return target;
}

/** Returns what a place such as studyGuide[1].items[0].options[2].text is about. */
export const targetOf = (guide: Guide, place: string): Target => follow(guide, place);

/** Returns the path of an issue as a place. */
export const placeOf = (path: readonly string[]): string => path.reduce((place, part) => (/^\d+$/.test(part) ? `${place}[${part}]` : place ? `${place}.${part}` : part), '');
