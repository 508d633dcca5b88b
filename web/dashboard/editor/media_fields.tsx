import { Icon } from '../parts/icon';
import { Line, Pick, Tick, Integer } from './fields';
import type { Embed, Media } from './guide';
import { withField } from './editing';
import { te } from './words';

interface Props {
  /** Where media and embed stand below their card: "" or content. */
  at: string;
  media: readonly Media[] | null | undefined;
  embed: Embed | null | undefined;
  onMedia: (media: Media[] | undefined, run: string) => void;
  onEmbed: (embed: Embed | undefined) => void;
}

/** Images and films by their address, and a page that is shown inside the interview. */
export function MediaFields({ at, media, embed, onMedia, onEmbed }: Props) {
  const list = media ?? [];
  const change = (index: number, next: Media | null, run = '') => {
    const all = next ? list.map((one, i) => (i === index ? next : one)) : list.filter((_, i) => i !== index);
    onMedia(all.length > 0 ? all : undefined, `${index} ${run}`);
  };
  return (
    <fieldset class="media" data-field={`${at}media`}>
      <legend>{te('media')}</legend>
      {list.map((one, index) => {
        const place = `${at}media[${index}]`;
        return (
          <div key={index} class="medium">
            <Pick label={te('mediaType')} at={`${place}.type`} value={one.type} options={[['image', te('image')], ['video', te('video')]]} onChange={(type) => change(index, { ...one, type })} />
            <Line label={te('mediaUrl')} at={`${place}.url`} required value={one.url} placeholder="https://" onInput={(url = '') => change(index, { ...one, url }, 'url')} />
            <Line label={te('mediaName')} at={`${place}.name`} required value={one.name} max={500} hint={te('mediaNameHint')} onInput={(name = '') => change(index, { ...one, name }, 'name')} />
            <Integer label={te('width')} at={`${place}.widthPercentage`} value={one.widthPercentage} max={100} placeholder="100" onInput={(width) => change(index, withField(one, 'widthPercentage', width), 'width')} />
            {one.type === 'video' && <Tick label={te('forceWatching')} at={`${place}.forceWatching`} value={one.forceWatching} onChange={(on) => change(index, withField(one, 'forceWatching', on))} />}
            <button type="button" class="quiet square" aria-label={te('removeOf', { name: one.name || te('media') })} onClick={() => change(index, null)}><Icon name="cross" /></button>
          </div>
        );
      })}
      <p class="row">
        <button type="button" class="quiet add-row" onClick={() => onMedia([...list, { name: '', url: '', type: 'image' }], '')}><Icon name="plus" />{te('addMedia')}</button>
        {!embed && <button type="button" class="quiet add-row" onClick={() => onEmbed({ url: '' })}><Icon name="plus" />{te('addEmbed')}</button>}
      </p>
      {embed && (
        <div class="medium">
          <Line label={te('embedUrl')} at={`${at}embed.url`} required value={embed.url} placeholder="https://" hint={te('embedHint')} onInput={(url = '') => onEmbed({ ...embed, url })} />
          <Line label={te('proxyUrl')} at={`${at}embed.proxyUrl`} value={embed.proxyUrl} placeholder="https://" onInput={(url) => onEmbed(withField(embed, 'proxyUrl', url))} />
          <button type="button" class="quiet square" aria-label={te('removeOf', { name: te('embedUrl') })} onClick={() => onEmbed(undefined)}><Icon name="cross" /></button>
        </div>
      )}
    </fieldset>
  );
}
