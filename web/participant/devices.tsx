import { useState } from 'preact/hooks';
import { fill } from '../shared/words';
import type { Boot } from './boot';
import { earlier } from './session';
import { Who } from './who';

const names = { desktop: 'deviceDesktop', android: 'deviceAndroid', ios: 'deviceIos' };

/** Tells whether the study is for other devices than this one. A Mac that is touched is an iPad. */
export function elsewhere({ view, device }: Boot): boolean {
  if (view === 'devices') return true;
  if (view !== 'front' || !device?.unsure || device.allowed.length === 0) return false;
  return !device.allowed.includes(navigator.maxTouchPoints > 1 ? 'ios' : 'desktop');
}

/** On which devices the study can be taken, and the link to open there. */
export function Devices({ boot }: { boot: Boot }) {
  const { words, tags, device } = boot;
  const [copied, setCopied] = useState(false);
  const link = device?.link ?? location.href;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      // the link stands there to be copied by hand
    }
  };
  return (
    <main class="sheet quiet">
      <Who who={boot.organization} />
      <p class="overline" lang={tags.content} dir="auto">{boot.title}</p>
      <h1>{words.devicesTitle}</h1>
      <div class="lead">
        <p>{words.devicesText}</p>
        <ul>{device?.allowed.map((name) => <li key={name}>{fill(words, names[name])}</li>)}</ul>
        <p>{words.devicesLink}</p>
      </div>
      <p class="address" dir="ltr">{link}</p>
      <div class="go">
        <button type="button" onClick={() => void copy()}>{words.copy}</button>
        <span role="status" class="note">{copied && words.copied}</span>
      </div>
      {earlier.value && (
        <section class="resume" aria-labelledby="resume">
          <h2 id="resume">{words.resumeTitle}</h2>
          <p>{words.resumeText}</p>
          <a class="button" href={`/i/${earlier.value}`}>{words.resume}</a>
        </section>
      )}
    </main>
  );
}
