// The images, films and captions of a guide.
import { conceptsOf, type Guide, type Media } from './guide';
import { withField } from './editing';
import { editBlock, editItem } from './outline';

export interface Captions {
  mediaUrl: string;
  url: string;
  language: string;
}

type Own = Record<string, unknown>;
const ownOf = (guide: Guide): Own => (typeof guide.config?.verbatim === 'object' && guide.config.verbatim !== null ? (guide.config.verbatim as Own) : {});

/** Returns the guide with a list of config.verbatim, or without it where it is empty. */
function withList(guide: Guide, name: string, list: readonly unknown[]): Guide {
  const { [name]: _before, ...rest } = ownOf(guide);
  const own: Own = list.length > 0 ? { ...rest, [name]: list } : rest;
  return { ...guide, config: withField(guide.config ?? {}, 'verbatim', Object.keys(own).length > 0 ? own : undefined) };
}

const isCaptions = (value: unknown): value is Captions => typeof value === 'object' && value !== null && typeof (value as Captions).mediaUrl === 'string';

/** Returns all captions of films. */
export function captionsOf(guide: Guide): Captions[] {
  const all = ownOf(guide).captions;
  return Array.isArray(all) ? all.filter(isCaptions) : [];
}

/** Returns the guide with captions of a film, in place of those in the same language; with an empty address it has none in that language. */
export function withCaptions(guide: Guide, captions: Captions): Guide {
  const rest = captionsOf(guide).filter(({ mediaUrl, language }) => mediaUrl !== captions.mediaUrl || language !== captions.language);
  return withList(guide, 'captions', captions.url ? [...rest, captions] : rest);
}

/** Returns the addresses of the images that only decorate. */
export function decorativeIn(guide: Guide): string[] {
  const all = ownOf(guide).decorativeMedia;
  return Array.isArray(all) ? all.filter((url) => typeof url === 'string') : [];
}

/** Returns the guide with an image that only decorates, or does not. */
export function withDecorative(guide: Guide, url: string, on: boolean): Guide {
  const rest = decorativeIn(guide).filter((other) => other !== url);
  return withList(guide, 'decorativeMedia', on ? [...rest, url] : rest);
}

/** Returns the guide with the media of an item or concept changed. */
export function withMedia(guide: Guide, id: string, change: (media: readonly Media[]) => Media[]): Guide {
  const block = guide.studyGuide.find((each) => conceptsOf(each).some(({ externalId }) => externalId === id));
  if (!block) return editItem(guide, id, (item) => withField(item, 'media', change(item.media ?? [])));
  return editBlock(guide, block.externalId ?? '', (each) => ({
    ...each, conceptSamplingConfig: { ...each.conceptSamplingConfig, concepts: conceptsOf(each).map((concept) => (concept.externalId === id ? { ...concept, content: { ...concept.content, media: change(concept.content.media ?? []) } } : concept)) },
  }));
}

/** Returns where a file that was uploaded here can be seen small, or "" for other addresses. */
export function thumbnail(url: string): string {
  const path = /^https?:\/\/[^/]+(\/media\/[0-9a-f-]{36}\/[0-9a-f]{32}\/(?:image\.(?:jpg|png|gif)|film\.mp4))$/.exec(url)?.[1] ?? '';
  return path.replace('film.mp4', 'poster.jpg');
}
