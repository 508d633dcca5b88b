import { useRef, useState } from 'preact/hooks';
import { api, ask } from '../api';
import { bytes } from '../format';
import { Icon } from '../parts/icon';
import { Loaded } from '../parts/loaded';
import { useQuery } from '../query';
import { CaptionFields } from './caption_fields';
import { useEditing, withField } from './editing';
import { Integer, Line, Pick, Tick } from './fields';
import type { Embed, Media } from './guide';
import { decorativeIn, thumbnail, withDecorative, withMedia } from './media';
import { largest, type Media as Uploaded } from './uploads';
import { te } from './words';

interface Props {
  /** The item or concept. */
  id: string;
  /** Where media and embed stand below their card: "" or content. */
  at: string;
  media: readonly Media[] | null | undefined;
  embed: Embed | null | undefined;
  onMedia: (media: Media[] | undefined, run: string) => void;
  onEmbed: (embed: Embed | undefined) => void;
}

/** What the file picker offers. The server looks at the content. */
const accepted = 'image/jpeg,image/png,image/gif,image/webp,video/mp4,video/quicktime,video/webm';

/** Images and films, uploaded or by their address, and a page that is shown inside the interview. */
export function MediaFields({ id, at, media, embed, onMedia, onEmbed }: Props) {
  const editing = useEditing();
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const list = media ?? [];
  const change = (index: number, next: Media | null, run = '') => {
    const all = next ? list.map((one, i) => (i === index ? next : one)) : list.filter((_, i) => i !== index);
    onMedia(all.length > 0 ? all : undefined, `${index} ${run}`);
  };
  const insert = ({ url, kind }: Uploaded) => {
    if (url && kind && kind !== 'captions') editing.edit((guide) => withMedia(guide, id, (before) => [...before, { name: '', url, type: kind }]));
  };
  const upload = (files: Iterable<File>) => { if (editing.mayChange) for (const file of files) void editing.uploads.start(file, id, insert); };
  const filesIn = (data: DataTransfer | null) => [...(data?.files ?? [])];
  return (
    <fieldset class={over ? 'media over' : 'media'} data-field={`${at}media`}
      onDragOver={(event) => { if (event.dataTransfer?.types.includes('Files')) { event.preventDefault(); setOver(true); } }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => { const files = filesIn(event.dataTransfer); setOver(false); if (files.length > 0) { event.preventDefault(); upload(files); } }}
      onPaste={(event) => { const files = filesIn(event.clipboardData); if (files.length > 0) { event.preventDefault(); upload(files); } }}>
      <legend>{te('media')}</legend>
      {list.map((one, index) => <Medium key={index} at={`${at}media[${index}]`} medium={one} onChange={(next, run) => change(index, next, run)} />)}
      <UploadList place={id} />
      <div class="drop">
        <p class="row">
          <button type="button" data-field={`${at}media upload`} onClick={() => picker.current?.click()}><Icon name="up" />{te('upload')}</button>
          <input ref={picker} class="unseen" type="file" tabIndex={-1} aria-hidden="true" multiple accept={accepted} onChange={(event) => { upload([...(event.currentTarget.files ?? [])]); event.currentTarget.value = ''; }} />
          <span class="soft small">{te('uploadHint')}</span>
        </p>
        <p class="row">
          <button type="button" class="quiet add-row" onClick={() => onMedia([...list, { name: '', url: '', type: 'image' }], '')}><Icon name="plus" />{te('addMedia')}</button>
          {!embed && <button type="button" class="quiet add-row" onClick={() => onEmbed({ url: '' })}><Icon name="plus" />{te('addEmbed')}</button>}
        </p>
        <Earlier used={list} onChoose={insert} />
      </div>
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

function Medium({ at, medium, onChange }: { at: string; medium: Media; onChange: (next: Media | null, run?: string) => void }) {
  const editing = useEditing();
  const small = thumbnail(medium.url);
  const decorative = medium.type === 'image' && medium.url !== '' && decorativeIn(editing.copy.guide.value).includes(medium.url);
  const decorate = (on: boolean) => {
    if (on && !medium.name) onChange({ ...medium, name: te('decoration') });
    editing.edit((guide) => withDecorative(guide, medium.url, on));
  };
  return (
    <div class="medium">
      {small && <img class="thumbnail" src={small} alt="" loading="lazy" width="96" />}
      <Pick label={te('mediaType')} at={`${at}.type`} value={medium.type} options={[['image', te('image')], ['video', te('video')]]} onChange={(type) => onChange({ ...medium, type })} />
      <Line label={te('mediaUrl')} at={`${at}.url`} required value={medium.url} placeholder="https://" onInput={(url = '') => onChange({ ...medium, url }, 'url')} />
      {!decorative && <Line label={te('mediaName')} at={`${at}.name`} required value={medium.name} max={500} hint={te('mediaNameHint')} onInput={(name = '') => onChange({ ...medium, name }, 'name')} />}
      <Integer label={te('width')} at={`${at}.widthPercentage`} value={medium.widthPercentage} max={100} placeholder="100" onInput={(width) => onChange(withField(medium, 'widthPercentage', width), 'width')} />
      {medium.type === 'image' && medium.url !== '' && <Tick label={te('decorative')} hint={te('decorativeHint')} at={`${at}.decorative`} value={decorative} onChange={(on) => decorate(on === true)} />}
      {medium.type === 'video' && <Tick label={te('forceWatching')} at={`${at}.forceWatching`} value={medium.forceWatching} onChange={(on) => onChange(withField(medium, 'forceWatching', on))} />}
      <button type="button" class="quiet square" aria-label={te('removeOf', { name: medium.name || te('media') })} onClick={() => onChange(null)}><Icon name="cross" /></button>
      {medium.type === 'video' && medium.url !== '' && <CaptionFields url={medium.url} />}
    </div>
  );
}

/** The uploads for a place, with how far they are. */
export function UploadList({ place }: { place: string }) {
  const { uploads } = useEditing();
  const mine = uploads.all.value.filter((upload) => upload.place === place);
  return (
    <ul class="uploads" aria-live="polite">
      {mine.map(({ key, name, size, sent, state, problem }) => (
        <li key={key} class={state === 'failed' ? 'wrong' : undefined}>
          <span class="words" dir="auto">{name}</span>
          {state !== 'failed' && <progress max={size} {...(state === 'preparing' ? {} : { value: sent })} aria-label={te('uploadOf', { name })} />}
          <span class="small">{state === 'failed' ? (problem || te('uploadFailed')) : te(`upload_${state}`, { sent: bytes(sent), size: bytes(size) })}{state === 'failed' && size > largest && ` ${te('uploadLargest')}`}</span>
          <button type="button" class="quiet square" aria-label={te(state === 'failed' ? 'uploadDismiss' : 'uploadCancel', { name })} onClick={() => uploads.stop(key)}><Icon name="cross" /></button>
        </li>
      ))}
    </ul>
  );
}

/** Files that were uploaded for this study before, to be used again. */
function Earlier({ used, onChoose }: { used: readonly Media[]; onChoose: (media: Uploaded) => void }) {
  const { link } = useEditing();
  const [open, setOpen] = useState(false);
  const files = useQuery({ key: ['media', link], enabled: open, load: (signal) => ask(api.GET('/api/dashboard/studies/{studyRef}/media', { params: { path: { studyRef: link } }, signal })) });
  return (
    <details class="earlier" onToggle={(event) => { setOpen(event.currentTarget.open); if (event.currentTarget.open && files.data) void files.retry(); }}>
      <summary>{te('uploadedBefore')}</summary>
      {open && (
        <Loaded of={files} what={te('whatMedia')} rows={1}>
          {({ media }) => {
            const free = media.filter(({ url, kind }) => url && kind !== 'captions' && !used.some((one) => one.url === url));
            if (free.length === 0) return <p class="soft small">{te('uploadedNone')}</p>;
            return <ul class="thumbnails">{free.map((one) => <li key={one.id}><button type="button" title={one.name} aria-label={te('use', { name: one.name })} onClick={() => onChoose(one)}><img src={thumbnail(one.url ?? '')} alt="" loading="lazy" width="96" /></button></li>)}</ul>;
          }}
        </Loaded>
      )}
    </details>
  );
}
