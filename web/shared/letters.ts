import { limits } from './rules';

/** From so many characters before the limit on, they are counted. */
export const countFrom = 2000;

/** Returns how many characters a text may still have; a text far below the limit is not counted. */
export const lettersLeft = (text: string): number =>
  limits.textCharacters - (text.length > limits.textCharacters - countFrom ? [...text].length : text.length);
