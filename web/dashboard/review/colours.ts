import type { Schemas } from '../api';

export type Colour = Schemas['TagColour'];

export const colours: readonly Colour[] = ['teal', 'violet', 'brown', 'green', 'blue', 'grey'];

/** The colour of a highlight: that of its first tag. */
export const colourOf = (tags: readonly string[], vocabulary: readonly Schemas['GivenTag'][]): Colour =>
  vocabulary.find(({ id }) => tags.includes(id))?.colour ?? 'grey';
