import { useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { useEditing } from './editing';
import { Pick } from './fields';
import { languageName, languages } from './languages';
import { captionsOf, withCaptions } from './media';
import { UploadList } from './media_fields';
import { te } from './words';

/** The captions of a film, in each language that it has them in. */
export function CaptionFields({ url }: { url: string }) {
  const editing = useEditing();
  const guide = editing.copy.guide.value;
  const picker = useRef<HTMLInputElement>(null);
  const mine = captionsOf(guide).filter(({ mediaUrl }) => mediaUrl === url);
  const [language, setLanguage] = useState(guide.config?.questionLanguage ?? 'en');
  const place = `captions ${url}`;
  const upload = (files: FileList | null) => {
    for (const file of files ?? []) void editing.uploads.start(file, place, (media) => { if (media.kind === 'captions' && media.url) editing.edit((before) => withCaptions(before, { mediaUrl: url, url: media.url ?? '', language })); });
  };
  return (
    <fieldset class="captions">
      <legend>{te('captions')}</legend>
      {mine.length > 0 && (
        <ul class="row">
          {mine.map((captions) => (
            <li key={captions.language} class="chip">{languageName(captions.language)}
              <button type="button" class="quiet square" aria-label={te('removeOf', { name: `${te('captions')} ${languageName(captions.language)}` })} onClick={() => editing.edit((before) => withCaptions(before, { ...captions, url: '' }))}><Icon name="cross" /></button>
            </li>
          ))}
        </ul>
      )}
      <UploadList place={place} />
      <p class="row">
        <Pick quiet label={te('captionLanguage')} at="captions.language" value={language} options={languages.map((code) => [code, languageName(code)])} onChange={setLanguage} />
        <button type="button" onClick={() => picker.current?.click()}><Icon name="up" />{te('uploadCaptions')}</button>
        <input ref={picker} class="unseen" type="file" tabIndex={-1} aria-hidden="true" accept=".vtt,text/vtt" onChange={(event) => { upload(event.currentTarget.files); event.currentTarget.value = ''; }} />
      </p>
    </fieldset>
  );
}
