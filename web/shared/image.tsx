import { useState } from 'preact/hooks';
import type { Media } from './protocol';
import { fill, type Words } from './words';

/** A picture. One that cannot be loaded says so, and can be tried again. */
export function Image({ medium, width, words, lang }: { medium: Media; width: string | undefined; words: Words; lang: string | undefined }) {
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  if (failed) {
    return (
      <div class="broken" lang={lang}>
        <p role="status">{fill(words, 'imageFailed', { text: medium.name })}</p>
        <button type="button" class="second" onClick={() => { setFailed(false); setTries(tries + 1); }}>{words.recTry}</button>
      </div>
    );
  }
  return <img key={tries} src={medium.url} alt={medium.name} width={width} onError={() => setFailed(true)} />;
}
