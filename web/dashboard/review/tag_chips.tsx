import type { Schemas } from '../api';

/** Tags by their names and colours. */
export function TagChips({ ids, vocabulary }: { ids: readonly string[]; vocabulary: readonly Schemas['GivenTag'][] }) {
  return <>{vocabulary.filter(({ id }) => ids.includes(id)).map((tag) => <span key={tag.id} class={`chip given ${tag.colour}`}><bdi>{tag.name}</bdi></span>)}</>;
}
